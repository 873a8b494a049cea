// A crowd that comes at once: connections from one client, one after the other, or from several addresses at the same
// time; then each sends a request, and all answers are read.
//
//   cc -O2 connect_crowd.c -o connect_crowd;  connect_crowd PORT COUNT FIRST_ADDRESS ADDRESSES PATH [PAUSE]
//
// FIRST_ADDRESS is the last byte of 127.0.2.x; PAUSE are microseconds between two connections. Prints the time until all were connected, the longest connect, and how
// many got an answer with status 200.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
    if (count < 6) return fprintf(stderr, "connect_crowd PORT COUNT FIRST_ADDRESS ADDRESSES PATH [PAUSE]\n"), 2;
    int port = atoi(arguments[1]), total = atoi(arguments[2]), first = atoi(arguments[3]), addresses = atoi(arguments[4]);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    int pause = count > 6 ? atoi(arguments[6]) : 0;
    int *sockets = calloc(total, sizeof *sockets), failed = 0;
    struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    double begin = now(), longest = 0;
    for (int i = 0; i < total; i++) {
        double before = now();
        struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000200 + first + i % addresses)};
        int one = 1;
        sockets[i] = socket(AF_INET, SOCK_STREAM, 0);
        setsockopt(sockets[i], SOL_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof one);
        bind(sockets[i], (struct sockaddr *)&own, sizeof own);
        if (connect(sockets[i], (struct sockaddr *)&server, sizeof server)) failed++;
        double took = now() - before;
        if (took > longest) longest = took;
        if (pause) usleep(pause);
    }
    double connected = now() - begin;
    char request[600];
    int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: h\r\n\r\n", arguments[5]);
    for (int i = 0; i < total; i++)
        if (send(sockets[i], request, length, MSG_NOSIGNAL) != length) failed++;
    int served = 0;
    static char answer[1 << 16];
    for (int i = 0; i < total; i++) {
        struct pollfd waiting = {.fd = sockets[i], .events = POLLIN};
        if (poll(&waiting, 1, 10000) == 1 && recv(sockets[i], answer, sizeof answer, 0) > 12 && !memcmp(answer + 9, "200", 3)) served++;
    }
    printf("{\"connections\":%d,\"connected_s\":%.3f,\"longest_connect_ms\":%.1f,\"failed\":%d,\"served\":%d,\"all_s\":%.3f}\n",
           total, connected, longest * 1e3, failed, served, now() - begin);
    for (int i = 0; i < total; i++) close(sockets[i]);
}
