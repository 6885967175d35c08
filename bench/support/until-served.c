/*
 * When a host is served: until-served PORT. Reads names of hosts, one in a line, asks for each on a new connection, a millisecond after the answer before,
 * until that is 200, and prints the time (nanoseconds of CLOCK_MONOTONIC) and how many answers before were no 404. Who asks a thousand times a second must
 * not take from others what is to be measured: Node needs half a millisecond of a core for each.
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { PAUSE_US = 1000, MOST_ASKED = 100000, NOT_FOUND = 404, OK = 200 };

/* Of the whole answer: nginx closes the connection, so that its side keeps what is left of it, and there is always a port to ask from. 0 without one. */
static int read_status(int fd)
{
	char answer[4096];
	size_t length = 0;
	ssize_t got;
	int status = 0;

	while (length < sizeof answer - 1 && (got = read(fd, answer + length, sizeof answer - 1 - length)) > 0)
		length += (size_t)got;
	answer[length] = '\0';
	return sscanf(answer, "HTTP/1.1 %3d ", &status) == 1 ? status : 0;
}

static int ask(const struct sockaddr_in *to, const char *host)
{
	char request[512];
	int one = 1, status = 0;
	int length = snprintf(request, sizeof request, "GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", host);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0)
		return 0;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	if (connect(fd, (const struct sockaddr *)to, sizeof *to) == 0 && write(fd, request, (size_t)length) == length)
		status = read_status(fd);
	close(fd);
	return status;
}

static void until_served(const struct sockaddr_in *to, const char *host)
{
	struct timespec now;
	int wrong = 0;

	for (int asked = 0; asked < MOST_ASKED; asked++) {
		int status = ask(to, host);
		if (status == OK) {
			clock_gettime(CLOCK_MONOTONIC, &now);
			printf("%lld%09ld %d\n", (long long)now.tv_sec, now.tv_nsec, wrong);
			fflush(stdout);
			return;
		}
		wrong += status != NOT_FOUND;
		usleep(PAUSE_US);
	}
	fprintf(stderr, "until-served: %s is not\n", host);
	exit(1);
}

int main(int argc, char **argv)
{
	char host[256];

	if (argc != 2)
		return 2;
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[1]))};
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	while (fgets(host, sizeof host, stdin) != NULL) {
		host[strcspn(host, "\n")] = '\0';
		until_served(&to, host);
	}
	return 0;
}
