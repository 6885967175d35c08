/*
 * A client of TLS that shakes hands and hangs up, over and over: Node takes a millisecond for what this does in a
 * third of one. Arguments: port, number of handshakes, number of hosts, seed. Full handshakes of TLS 1.3 and 1.2 in
 * turn; every eighth is broken off half-way or begins with nonsense. Prints how many were completed.
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int
open_socket(int port)
{
    int                 fd, one = 1;
    struct sockaddr_in  address = { .sin_family = AF_INET, .sin_port = htons(port) };

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    fd = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    /* A port must be free again at once: there are more connections than ports. */
    struct linger  none = { .l_onoff = 1, .l_linger = 0 };
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
    return connect(fd, (struct sockaddr *) &address, sizeof(address)) == 0 ? fd : -1;
}

/* Half a record, or no record at all. */
static void
break_off(int fd, unsigned n)
{
    static const char  half[] = "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03";
    static const char  nonsense[] = "GET / HTTP/1.0\r\n\r\n";

    if (write(fd, n & 8 ? half : nonsense, sizeof(half) - 1) < 0)
        perror("write");
}

static int
shake(SSL_CTX *context, int fd, int version, const char *name)
{
    int   done;
    SSL  *ssl = SSL_new(context);

    SSL_set_min_proto_version(ssl, version);
    SSL_set_max_proto_version(ssl, version);
    SSL_set_tlsext_host_name(ssl, name);
    SSL_set_tlsext_status_type(ssl, TLSEXT_STATUSTYPE_ocsp);
    SSL_set_fd(ssl, fd);
    done = SSL_connect(ssl) == 1;
    SSL_free(ssl);
    return done;
}

int
main(int argc, char **argv)
{
    unsigned  n, done = 0, broken = 0;

    if (argc != 5) {
        fprintf(stderr, "usage: handshakes PORT COUNT HOSTS SEED\n");
        return 2;
    }

    int       port = atoi(argv[1]), count = atoi(argv[2]), hosts = atoi(argv[3]);
    SSL_CTX  *context = SSL_CTX_new(TLS_client_method());

    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    srandom(atoi(argv[4]));

    for (n = 0; done < (unsigned) count; n++) {
        char  name[64];
        int   fd = open_socket(port);

        if (fd < 0) {
            perror("connect");
            return 1;
        }
        snprintf(name, sizeof(name), "host-%ld.shop.test", random() % hosts);
        if (n % 8 == 7) {
            break_off(fd, n);
            broken++;
        } else if (shake(context, fd, n & 1 ? TLS1_2_VERSION : TLS1_3_VERSION, name)) {
            done++;
        } else {
            fprintf(stderr, "a handshake for %s failed\n", name);
            return 1;
        }
        close(fd);
    }

    printf("%u completed, %u broken off\n", done, broken);
    return 0;
}
