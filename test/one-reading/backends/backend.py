"""A WSGI server that answers with how it has read each request: the fields of report.ts, between unit separators.

What WSGI makes of headers is what CGI does: X-User and X_User are one variable.
"""

import posixpath
import socketserver
import sys
from wsgiref.simple_server import ServerHandler, WSGIRequestHandler, WSGIServer, make_server


class Server(socketserver.ThreadingMixIn, WSGIServer):
    daemon_threads = True
    request_queue_size = 256


class Handler(WSGIRequestHandler):
    def log_message(self, *_):
        pass

    def get_environ(self):
        environ = super().get_environ()
        environ["target"] = self.path
        return environ


def answer(environ, start_response):
    length = int(environ.get("CONTENT_LENGTH") or 0)
    body = environ["wsgi.input"].read(length)
    path = environ["PATH_INFO"]
    names = ("X_FORWARDED_PREFIX", "X_FORWARDED_FOR", "X_REAL_IP", "X_FORWARDED_PROTO", "X_FORWARDED_HOST", "X_USER", "X_REQUEST_ID")
    told = [environ.get("HTTP_" + name, "") for name in names]
    fields = ["python", environ["REQUEST_METHOD"], environ["target"], environ.get("HTTP_HOST", ""), path, posixpath.normpath("/" + path.lstrip("/")), *told, str(len(body))]
    start_response("200 OK", [("Content-Type", "text/plain")])
    return ["\x1f".join(fields).encode("latin-1", "replace")]


server = make_server("127.0.0.1", 0, answer, server_class=Server, handler_class=Handler)
print(server.server_port, flush=True)
server.serve_forever()
