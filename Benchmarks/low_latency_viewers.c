// Low-latency HLS viewers. Each has one connection; it reloads a media playlist, waiting for its next part, then takes
// that part. Connections come from 64 addresses.
//
//   cc -O2 low_latency_viewers.c -lssl -lcrypto -o low_latency_viewers;  low_latency_viewers PORT PLAYLIST COUNT SECONDS [tls]
//
// Prints a line of JSON: reloads, parts, errors, and for each part the time from the first viewer who has its playlist to
// the 99th percentile, as median and maximum.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { HEAD = 1 << 15, ROUNDS = 4096, EVENTS = 512 };

struct viewer {
    int fd, is_part, has_head;
    SSL *tls;
    long sequence, part;
    size_t count, expected;
    char *buffer, uri[160];
};

static const char *playlist;
static char folder[300];
static int total;
static long reloads, parts, errors;
static double bytes, *arrivals[ROUNDS];
static int arrival_count[ROUNDS];

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void ask(struct viewer *viewer, const char *path) {
    char request[700];
    int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", path);
    viewer->count = viewer->expected = viewer->has_head = 0;
    int sent = viewer->tls ? SSL_write(viewer->tls, request, length)
                           : (int)send(viewer->fd, request, length, MSG_NOSIGNAL);
    if (sent != length) errors++;
}

static void reload(struct viewer *viewer) {
    char path[500];
    viewer->is_part = 0;
    if (viewer->sequence < 0) snprintf(path, sizeof path, "%s", playlist);
    else snprintf(path, sizeof path, "%s?_HLS_msn=%ld&_HLS_part=%ld", playlist, viewer->sequence, viewer->part);
    ask(viewer, path);
}

static void begin_again(struct viewer *viewer) {
    errors++;
    viewer->sequence = -1;
    reload(viewer);
}

// A playlist names the newest part, and so what to wait for next.
static void answered(struct viewer *viewer) {
    int is_good = !strncmp(viewer->buffer + 9, "200", 3);
    if (viewer->is_part) {
        if (is_good) parts++; else errors++;
        reload(viewer);
        return;
    }
    if (!is_good) return begin_again(viewer);
    viewer->buffer[viewer->count < HEAD ? viewer->count : HEAD - 1] = 0;
    char *last = NULL, *line = viewer->buffer;
    while ((line = strstr(line, "#EXT-X-PART:"))) last = line, line += 8;
    char *uri = last ? strstr(last, "URI=\"") : NULL;
    long sequence, part;
    if (!uri || sscanf(uri + 5, "%150[^\"]", viewer->uri) != 1) return begin_again(viewer);
    char *name = strrchr(viewer->uri, '/');
    if (sscanf(name ? name + 1 : viewer->uri, "%ld.%ld", &sequence, &part) != 2) return begin_again(viewer);
    if (viewer->sequence >= 0) {
        int round = (sequence * 16 + part) % ROUNDS;
        if (!arrivals[round]) arrivals[round] = malloc(sizeof(double) * total);
        if (arrival_count[round] < total) arrivals[round][arrival_count[round]++] = now();
    }
    reloads++;
    viewer->sequence = sequence;
    viewer->part = part + 1;
    viewer->is_part = 1;
    char path[500];
    snprintf(path, sizeof path, "%s/%s", folder, viewer->uri);
    ask(viewer, path);
}

static void receive(struct viewer *viewer) {
    static char rest[1 << 18];
    for (;;) {
        char *to = viewer->count < HEAD - 1 ? viewer->buffer + viewer->count : rest;
        size_t room = viewer->count < HEAD - 1 ? HEAD - 1 - viewer->count : sizeof rest;
        ssize_t count = viewer->tls ? SSL_read(viewer->tls, to, room) : recv(viewer->fd, to, room, 0);
        if (count <= 0) {
            int waits = viewer->tls ? SSL_get_error(viewer->tls, count) == SSL_ERROR_WANT_READ
                                    : count < 0 && (errno == EAGAIN || errno == EINTR);
            if (!waits) errors++, close(viewer->fd);
            return;
        }
        viewer->count += count;
        bytes += count;
        if (!viewer->has_head) {
            viewer->buffer[viewer->count < HEAD ? viewer->count : HEAD - 1] = 0;
            char *end = strstr(viewer->buffer, "\r\n\r\n");
            if (end) {
                char *length = strcasestr(viewer->buffer, "content-length:");
                viewer->expected = end + 4 - viewer->buffer + (length ? strtoul(length + 15, NULL, 10) : 0);
                viewer->has_head = 1;
            }
        }
        if (viewer->has_head && viewer->count >= viewer->expected) answered(viewer);
    }
}

static void begin(struct viewer *viewer, int number, int port, SSL_CTX *tls, int poll) {
    struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000002 + number % 64)};
    viewer->fd = socket(AF_INET, SOCK_STREAM, 0);
    bind(viewer->fd, (struct sockaddr *)&own, sizeof own);
    if (connect(viewer->fd, (struct sockaddr *)&server, sizeof server)) perror("connect"), exit(1);
    int one = 1;
    setsockopt(viewer->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (tls) {
        viewer->tls = SSL_new(tls);
        SSL_set_fd(viewer->tls, viewer->fd);
        if (SSL_connect(viewer->tls) != 1) fprintf(stderr, "no TLS\n"), exit(1);
    }
    fcntl(viewer->fd, F_SETFL, O_NONBLOCK);
    viewer->buffer = malloc(HEAD);
    viewer->sequence = -1;
    struct epoll_event event = {EPOLLIN, {.ptr = viewer}};
    epoll_ctl(poll, EPOLL_CTL_ADD, viewer->fd, &event);
}

int main(int count, char **arguments) {
    if (count < 5) return fprintf(stderr, "low_latency_viewers PORT PLAYLIST COUNT SECONDS [tls]\n"), 2;
    signal(SIGPIPE, SIG_IGN);
    int port = atoi(arguments[1]), poll = epoll_create1(0);
    playlist = arguments[2];
    total = atoi(arguments[3]);
    snprintf(folder, sizeof folder, "%s", playlist);
    *strrchr(folder, '/') = 0;
    SSL_CTX *tls = count > 5 ? SSL_CTX_new(TLS_client_method()) : NULL;
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    struct viewer *viewers = calloc(total, sizeof *viewers);
    double began = now();
    for (int i = 0; i < total; i++) begin(&viewers[i], i, port, tls, poll);
    double connected = now() - began;
    // Whoever measures the server's processor time begins here.
    printf("connected\n");
    fflush(stdout);
    double end = now() + atof(arguments[4]);
    for (int i = 0; i < total; i++) reload(&viewers[i]);
    struct epoll_event events[EVENTS];
    while (now() < end) {
        int ready = epoll_wait(poll, events, EVENTS, 200);
        for (int i = 0; i < ready; i++) receive(events[i].data.ptr);
    }
    static double spread[ROUNDS];
    int rounds = 0;
    for (int i = 0; i < ROUNDS; i++) {
        if (arrival_count[i] <= total * 0.9) continue;
        qsort(arrivals[i], arrival_count[i], sizeof(double), compare);
        spread[rounds++] = (arrivals[i][(int)(arrival_count[i] * .99)] - arrivals[i][0]) * 1e3;
    }
    qsort(spread, rounds, sizeof(double), compare);
    printf("{\"viewers\":%d,\"connect_s\":%.2f,\"reloads\":%ld,\"parts\":%ld,\"MB\":%.0f,\"errors\":%ld,\"rounds\":%d,"
           "\"spread99_ms\":%.1f,\"spread99_max_ms\":%.1f}\n",
           total, connected, reloads, parts, bytes / 1e6, errors, rounds, rounds ? spread[rounds / 2] : -1,
           rounds ? spread[rounds - 1] : -1);
}
