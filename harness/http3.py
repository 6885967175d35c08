# A client of HTTP/3 for http3.ts: reads questions from stdin and writes answers to stdout, one JSON text a line. Connections stay open between
# questions. Certificates are not verified: who asks gets to see them. With Debian's python3-aioquic.
import asyncio
import base64
import json
import socket
import ssl
import sys
import time

from aioquic.asyncio.client import connect
from aioquic.asyncio.protocol import QuicConnectionProtocol
from aioquic.h3.connection import H3_ALPN, H3Connection
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection
from aioquic.quic.events import ConnectionTerminated, HandshakeCompleted
from cryptography.hazmat.primitives.serialization import Encoding


class Exchange:
    def __init__(self):
        self.headers, self.body, self.ended = [], bytearray(), asyncio.get_running_loop().create_future()


class Client(QuicConnectionProtocol):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.http = H3Connection(self._quic)
        self.exchanges = {}
        self.end = None

    def datagram_received(self, data, address):
        super().datagram_received(data, address)
        # aioquic tells of a close when it has drained the connection: after three timeouts by the round trips that it has measured, which are
        # seconds on a busy machine.
        if (close := self._quic._close_event) is not None:
            self.ends(close)

    def ends(self, close):
        self.end = {"code": close.error_code, "reason": close.reason_phrase}
        for exchange in self.exchanges.values():
            if not exchange.ended.done():
                exchange.ended.set_exception(ConnectionError(json.dumps(self.end)))

    def quic_event_received(self, event):
        if isinstance(event, ConnectionTerminated):
            self.ends(event)
        for http in self.http.handle_event(event):
            exchange = self.exchanges.get(getattr(http, "stream_id", None))
            if exchange is None:
                continue
            if isinstance(http, HeadersReceived):
                exchange.headers += http.headers
            elif isinstance(http, DataReceived):
                exchange.body += http.data
            if getattr(http, "stream_ended", False) and not exchange.ended.done():
                exchange.ended.set_result(None)

    async def ask(self, question):
        if self.end is not None:
            raise EOFError(json.dumps(self.end))
        stream = self._quic.get_next_available_stream_id()
        exchange = self.exchanges[stream] = Exchange()
        body = base64.b64decode(question.get("body", ""))
        headers = [(name.encode(), value.encode()) for name, value in question["headers"]]
        self.http.send_headers(stream, headers, end_stream=not body)
        # In pieces: a body that is long goes as the server allows.
        for start in range(0, len(body), 16384):
            end = start + 16384
            self.http.send_data(stream, body[start:end], end_stream=end >= len(body))
        self.transmit()
        try:
            await exchange.ended
        finally:
            del self.exchanges[stream]
        headers = [(name.decode(), value.decode("latin-1")) for name, value in exchange.headers]
        return {"headers": headers, "body": base64.b64encode(bytes(exchange.body)).decode()}


class Anew:
    """A connection from the port of one that is there already. Its datagrams go where those of the first one do, and both get all that comes."""

    def __init__(self, client, configuration, target):
        self.client, self.target = client, target
        self.connection = QuicConnection(configuration=configuration)
        self.is_complete = asyncio.get_running_loop().create_future()
        self.first = client.datagram_received
        client.datagram_received = self.datagram_received
        self.connection.connect(target, time.time())

    def datagram_received(self, data, address):
        self.first(data, address)
        self.connection.receive_datagram(data, address, time.time())
        self.go_on()

    def go_on(self):
        while event := self.connection.next_event():
            if isinstance(event, HandshakeCompleted) and not self.is_complete.done():
                self.is_complete.set_result(None)
        for datagram, _ in self.connection.datagrams_to_send(time.time()):
            self.client._transport.sendto(datagram, self.target)

    async def complete(self):
        while not self.is_complete.done():
            self.go_on()
            await asyncio.wait([self.is_complete], timeout=0.1)
            if (at := self.connection.get_timer()) is not None and at <= time.time():
                self.connection.handle_timer(time.time())
        return {}


LONG_TYPES = ["initial", "0-rtt", "handshake", "retry"]


def kind_of(datagram):
    """Of its first packet."""
    return LONG_TYPES[(datagram[0] & 0x30) >> 4] if datagram[0] & 0x80 else "short"


def socket_at(address):
    own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    own.setblocking(False)
    own.bind((address, 0))
    return own


# An answer that comes late, as on a busy machine, is waited for.
PATIENCE_SECONDS = 20


async def heard(own, seconds, enough=2**20):
    """What comes, until there has been nothing for so long since the first of it."""
    datagrams = []
    while len(datagrams) < enough:
        try:
            receiving = asyncio.get_running_loop().sock_recv(own, 65536)
            datagrams.append(await asyncio.wait_for(receiving, seconds if datagrams else PATIENCE_SECONDS))
        except asyncio.TimeoutError:
            break
    return datagrams


async def probe(question):
    """A client that begins a handshake and says nothing more. It shows a token that was given to another address, if it is told to get one there."""
    target = (question["host"], question["port"])
    configuration = QuicConfiguration(is_client=True, alpn_protocols=H3_ALPN, server_name=question["serverName"])
    connection = QuicConnection(configuration=configuration)
    connection.connect(target, time.time())
    with socket_at(question["from"]) as own, socket_at(question.get("tokenFor", question["from"])) as other:
        if "tokenFor" in question:
            # A token is for a port, too.
            asking = own if question["tokenFor"] == question["from"] else other
            for datagram, _ in connection.datagrams_to_send(time.time()):
                asking.sendto(datagram, target)
            for datagram in await heard(asking, question["seconds"], 1):
                connection.receive_datagram(datagram, target, time.time())
        sent = [datagram for datagram, _ in connection.datagrams_to_send(time.time())]
        for datagram in sent:
            own.sendto(datagram, target)
        answers = await heard(own, question["seconds"])
    return {"sent": sum(map(len, sent)), "received": sum(map(len, answers)), "kinds": [kind_of(it) for it in answers]}


class Connections:
    def __init__(self):
        self.open, self.stacks, self.tickets = {}, {}, {}

    async def do(self, question):
        kind, name = question["do"], question.get("connection")
        if kind == "connect":
            return await self.connect(name, question)
        if kind == "probe":
            return await probe(question)
        if kind == "anew":
            configuration = QuicConfiguration(is_client=True, alpn_protocols=H3_ALPN, verify_mode=ssl.CERT_NONE)
            configuration.server_name = question["serverName"]
            client = self.open[name]
            return await Anew(client, configuration, client._quic._network_paths[0].addr).complete()
        if kind == "tickets":
            return {"earlyDataBytes": [ticket.max_early_data_size or 0 for ticket in self.tickets[name]]}
        if kind == "ask":
            return await self.open[name].ask(question)
        await self.stacks.pop(name).__aexit__(None, None, None)
        del self.open[name]
        return {}

    async def connect(self, name, question):
        configuration = QuicConfiguration(is_client=True, alpn_protocols=H3_ALPN, verify_mode=ssl.CERT_NONE)
        configuration.server_name = question["serverName"]
        configuration.idle_timeout = question.get("idleTimeout", 600)
        if "certificate" in question:
            configuration.load_cert_chain(question["certificate"], question["key"])
        self.tickets[name] = []
        context = connect(
            question["host"],
            question["port"],
            configuration=configuration,
            create_protocol=Client,
            session_ticket_handler=self.tickets[name].append,
            wait_connected=False,
        )
        client = await context.__aenter__()
        client.transmit()
        try:
            await client.wait_connected()
        except ConnectionError:
            raise ConnectionError(json.dumps(client.end)) from None
        self.open[name], self.stacks[name] = client, context
        certificate = client._quic.tls._peer_certificate
        return {"certificate": certificate.public_bytes(Encoding.PEM).decode()}


async def main():
    reader = asyncio.StreamReader(limit=2**26)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    # Of connections that have failed nobody asks a second time.
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    connections, tasks = Connections(), set()

    async def answer(question):
        try:
            limit = question.get("timeoutSeconds", 30)
            said = await asyncio.wait_for(connections.do(question), limit)
        except asyncio.TimeoutError:
            said = {"error": "timeout"}
        except Exception as error:
            said = {"error": f"{type(error).__name__}: {error}"}
        sys.stdout.write(json.dumps({"id": question["id"], **said}) + "\n")
        sys.stdout.flush()

    while line := await reader.readline():
        task = asyncio.create_task(answer(json.loads(line)))
        tasks.add(task)
        task.add_done_callback(tasks.discard)


asyncio.run(main())
