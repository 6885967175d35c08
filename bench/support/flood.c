// One datagram from each of so many addresses of 127.0.0.0/8 to a UDP port of 127.0.0.1: flood PORT FIRST COUNT. Nobody waits for answers.
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { FIRST_ADDRESS = 0x7f010000, BURST = 64, PAUSE_US = 2000 };

static void send_from(uint32_t address, const struct sockaddr_in *to)
{
	struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(address)};
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&from, sizeof from) < 0 ||
	    sendto(fd, "?", 1, 0, (const struct sockaddr *)to, sizeof *to) < 0) {
		perror("flood");
		exit(1);
	}
	close(fd);
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[1]))};
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	uint32_t first = FIRST_ADDRESS + (uint32_t)atoi(argv[2]);
	for (uint32_t nth = 0; nth < (uint32_t)atoi(argv[3]); nth++) {
		send_from(first + nth, &to);
		if (nth % BURST == BURST - 1) /* the socket holds some hundred: who sends more loses them before nginx sees them */
			usleep(PAUSE_US);
	}
	return 0;
}
