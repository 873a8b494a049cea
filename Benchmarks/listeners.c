// Listeners to the events of a server: thousands of connections that wait for what happens.
// In C, because what the load takes of the processor is time that the server's listeners wait.
//
//   listeners PORT COUNT TOKEN [own]
//
// With "own", each of up to 16,384 listeners wants other types of events, jobs among them, so that no two are told of the
// same ones.
//
// Prints a line of JSON once all have an answer, and one for each line of standard input: for each event how many have
// received it, and how long after the `time` in it (which has milliseconds) half of them, 99 % and the last had it.
// Ends with its standard input.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER_SIZE = 1 << 16, MOST_EVENTS = 4096, PER_ADDRESS = 200, READY = 1024 };

struct event { long id; double happened; int count; double *delays; };

static struct event events[MOST_EVENTS];
static int event_count, listener_count, begun_count;
static char *has_begun;
static int has_own_filter;

static const char *other_types[] = {
    "channel.up", "channel.down", "channel.quality", "channel.gap", "recording.started", "recording.finished",
    "title.ready", "track.ready", "account.created", "account.approved", "account.suspended", "account.restored",
    "account.deleted", "account.role"};

static void write_query(char *query, int size, int number) {
    query[0] = 0;
    if (!has_own_filter) return;
    int length = snprintf(query, size, "?types=job");
    for (int bit = 0; bit < (int)(sizeof other_types / sizeof *other_types); bit++) {
        if (number >> bit & 1) length += snprintf(query + length, size - length, ",%s", other_types[bit]);
    }
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static double now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static double parse_time(const char *text) {
    struct tm date = {0};
    const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &date);
    return rest ? timegm(&date) * 1e3 + (*rest == '.' ? atof(rest) * 1e3 : 0) : 0;
}

static void note(const char *text, double now) {
    for (const char *place = text; (place = strstr(place, "\nid: ")); place++) {
        long id = atol(place + 5);
        const char *time = strstr(place, "\"time\":\"");
        if (!time) continue;
        int index = 0;
        while (index < event_count && events[index].id != id) index++;
        if (index == event_count) {
            if (event_count == MOST_EVENTS) continue;
            events[event_count++] = (struct event){id, parse_time(time + 8), 0, calloc(listener_count, sizeof(double))};
        }
        struct event *event = &events[index];
        if (event->count < listener_count) event->delays[event->count++] = now - event->happened;
    }
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

static void report(void) {
    printf("[");
    for (int index = 0; index < event_count; index++) {
        struct event *event = &events[index];
        qsort(event->delays, event->count, sizeof(double), compare);
        printf("%s{\"id\":%ld,\"count\":%d,\"median\":%.1f,\"p99\":%.1f,\"last\":%.1f}", index ? "," : "", event->id,
               event->count, event->delays[event->count / 2], event->delays[(int)(event->count * 0.99)],
               event->delays[event->count - 1]);
        free(event->delays);
    }
    printf("]\n");
    fflush(stdout);
    event_count = 0;
}

static int listen_to(int port, int number, const char *token) {
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0) fail("socket");
    int one = 1;
    setsockopt(listener, IPPROTO_IP, 24 /* IP_BIND_ADDRESS_NO_PORT */, &one, sizeof one);
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7F000101 + number / PER_ADDRESS)};
    struct sockaddr_in server = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (bind(listener, (struct sockaddr *)&own, sizeof own)) fail("bind");
    if (connect(listener, (struct sockaddr *)&server, sizeof server)) fail("connect");
    char query[512], request[1024];
    write_query(query, sizeof query, number);
    int length = snprintf(
        request, sizeof request,
        "GET /api/v1/events%s HTTP/1.1\r\nHost: antena\r\nUser-Agent: listeners\r\nAuthorization: Bearer %s\r\n\r\n", query,
        token);
    if (write(listener, request, length) != length) fail("write");
    fcntl(listener, F_SETFL, O_NONBLOCK);
    return listener;
}

static void take(int poll, int timeout) {
    static char buffer[BUFFER_SIZE + 1];
    struct epoll_event ready[READY];
    int count = epoll_wait(poll, ready, READY, timeout);
    for (int index = 0; index < count; index++) {
        int listener = ready[index].data.fd;
        if (listener == STDIN_FILENO) {
            ssize_t length = read(STDIN_FILENO, buffer, BUFFER_SIZE);
            if (length <= 0) exit(0);
            report();
            continue;
        }
        ssize_t length = recv(listener, buffer, BUFFER_SIZE, 0);
        if (length <= 0) {
            fprintf(stderr, "the server closed a listener's connection\n");
            exit(1);
        }
        double now = now_ms();
        buffer[length] = 0;
        if (!has_begun[listener]) {
            if (strncmp(buffer, "HTTP/1.1 200", 12)) {
                fprintf(stderr, "%s\n", buffer);
                exit(1);
            }
            has_begun[listener] = 1;
            begun_count++;
        }
        note(buffer, now);
    }
}

int main(int argc, char **argv) {
    if (argc != 4 && (argc != 5 || strcmp(argv[4], "own"))) {
        fprintf(stderr, "usage: listeners PORT COUNT TOKEN [own]\n");
        return 2;
    }
    has_own_filter = argc == 5;
    listener_count = atoi(argv[2]);
    struct rlimit files = {listener_count + 100, listener_count + 100};
    struct rlimit allowed;
    getrlimit(RLIMIT_NOFILE, &allowed);
    if (files.rlim_max > allowed.rlim_max) {
        fprintf(stderr, "%ld open files are needed\n", (long)files.rlim_max);
        return 1;
    }
    files.rlim_max = allowed.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    has_begun = calloc(listener_count + 1024, 1);
    int poll = epoll_create1(0);
    for (int number = 0; number < listener_count; number++) {
        int listener = listen_to(atoi(argv[1]), number, argv[3]);
        struct epoll_event wanted = {.events = EPOLLIN, .data.fd = listener};
        epoll_ctl(poll, EPOLL_CTL_ADD, listener, &wanted);
        // Not faster than the server accepts.
        if (number - begun_count > 200) take(poll, 1000);
    }
    double deadline = now_ms() + 60e3;
    while (begun_count < listener_count && now_ms() < deadline) take(poll, 100);
    if (begun_count < listener_count) {
        fprintf(stderr, "only %d of %d listeners have an answer\n", begun_count, listener_count);
        return 1;
    }
    struct epoll_event input = {.events = EPOLLIN, .data.fd = STDIN_FILENO};
    epoll_ctl(poll, EPOLL_CTL_ADD, STDIN_FILENO, &input);
    printf("{\"listeners\":%d}\n", begun_count);
    fflush(stdout);
    while (1) take(poll, -1);
}
