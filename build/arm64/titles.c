/*
 * Loaded into nginx under qemu. nginx writes its title over its arguments, for /proc/PID/cmdline; under qemu these are a copy, and the kernel
 * shows those of qemu. So whenever nginx is about to wait, its title is written over them.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

static char **arguments;
static char shown[4096];

__attribute__((constructor)) static void remember(int argc, char **argv) { arguments = argv; }

/* The kernel's idea of where the arguments are: fields 48 and 49 of proc(5). By another name than /proc/self/stat, which qemu answers itself. */
static int place(unsigned long *begin, unsigned long *end) {
	char text[1024];
	int file = open("/proc/thread-self/stat", O_RDONLY | O_CLOEXEC);
	ssize_t length = read(file, text, sizeof text - 1);
	close(file);
	if (length <= 0) return 0;
	text[length] = 0;
	char *field = strrchr(text, ')');
	for (int number = 2; field != NULL && number < 48; number++) field = strchr(field + 1, ' ');
	return field != NULL && sscanf(field, "%lu %lu", begin, end) == 2;
}

static void show(void) {
	static const char mark[] = "nginx: ";
	unsigned long begin, end;
	char *title = arguments[0];
	if (strncmp(title, mark, sizeof mark - 1) != 0 || strcmp(title, shown) == 0 || !place(&begin, &end)) return;
	char text[sizeof shown] = {0};
	size_t room = end - begin < sizeof text ? end - begin : sizeof text;
	strncpy(text, title, room - 1);
	/* Addresses of this file are those of the emulator's own process. */
	int memory = open("/proc/self/mem", O_WRONLY | O_CLOEXEC);
	if (pwrite(memory, text, room, begin) == (ssize_t)room) strncpy(shown, title, sizeof shown - 1);
	close(memory);
}

int epoll_wait(int epoll, struct epoll_event *events, int size, int timeout) {
	show();
	static int (*next)(int, struct epoll_event *, int, int);
	if (next == NULL) next = dlsym(RTLD_NEXT, "epoll_wait");
	return next(epoll, events, size, timeout);
}

int sigsuspend(const sigset_t *mask) {
	show();
	static int (*next)(const sigset_t *);
	if (next == NULL) next = dlsym(RTLD_NEXT, "sigsuspend");
	return next(mask);
}
