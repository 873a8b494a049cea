import Foundation
import NIOCore
import Synchronization
import VODLibrary

/// Finds the addresses of hosts, on threads of its own: a name server that does not answer keeps nobody else waiting.
///
/// Nothing ends a `getaddrinfo` that waits, so its thread stays behind when the deadline has passed. Their number has a
/// limit, above which names are not looked up at all.
final class HostResolver: Sendable {
    /// Blocks: the addresses of a host, or what it throws.
    typealias Lookup = @Sendable (_ host: String, _ port: Int) throws -> [SocketAddress]

    /// More than imports at a time with a few attempts each.
    static let maximumThreadCount = 8
    /// A resolver's default is 5 seconds for each server that it asks.
    static let deadline = Duration.seconds(10)

    private let lookup: Lookup
    private let maximumThreadCount: Int
    private let deadline: Duration
    private let clock: any Clock<Duration>
    private let threadCount = Mutex(0)

    init(
        maximumThreadCount: Int = HostResolver.maximumThreadCount, deadline: Duration = HostResolver.deadline,
        clock: any Clock<Duration> = ContinuousClock(), lookup: @escaping Lookup = HostResolver.systemLookup
    ) {
        self.maximumThreadCount = maximumThreadCount
        self.deadline = deadline
        self.clock = clock
        self.lookup = lookup
    }

    /// Threads that look a name up, those past their deadline included.
    var busyThreadCount: Int { threadCount.withLock { $0 } }

    /// - Throws: ``ResolutionFailure``, after which another attempt may succeed; `LibraryError` when too many names
    ///   wait already.
    func addresses(of host: String, port: Int) async throws -> [SocketAddress] {
        try claimThread()
        let answer = Answer()
        let thread = Thread { [self] in
            let result = Result { try lookup(host, port) }
            threadCount.withLock { $0 -= 1 }
            answer.give(result)
        }
        thread.name = "antena.dns"
        thread.start()
        return try await withThrowingTaskGroup(of: [SocketAddress].self) { group in
            group.addTask { try await answer.value() }
            group.addTask { [clock, deadline] in
                try await clock.sleep(for: deadline)
                throw ResolutionFailure(
                    host: host, reason: "the name server has not answered for \(deadline.components.seconds) seconds")
            }
            defer { group.cancelAll() }
            guard let addresses = try await group.next() else { throw CancellationError() }
            return addresses
        }
    }

    private func claimThread() throws {
        try threadCount.withLock { count in
            guard count < maximumThreadCount else {
                throw LibraryError(
                    .limitExceeded,
                    "the name server does not answer, and \(count) names wait for it already; check the name servers "
                        + "in /etc/resolv.conf, then retry the job")
            }
            count += 1
        }
    }

    /// What a thread has found out, for the task that waits for it as long as it does.
    private final class Answer: Sendable {
        private enum State {
            case open
            case waiting(CheckedContinuation<[SocketAddress], any Error>)
            case given(Result<[SocketAddress], any Error>)
        }

        private let state = Mutex(State.open)

        func give(_ result: Result<[SocketAddress], any Error>) {
            let waiting = state.withLock { state -> CheckedContinuation<[SocketAddress], any Error>? in
                switch state {
                case .open:
                    state = .given(result)
                    return nil
                case .waiting(let continuation):
                    state = .given(result)
                    return continuation
                case .given: return nil
                }
            }
            waiting?.resume(with: result)
        }

        /// For one caller. Ends at once when its task is cancelled.
        func value() async throws -> [SocketAddress] {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let given = state.withLock { state -> Result<[SocketAddress], any Error>? in
                        if case .given(let result) = state { return result }
                        state = .waiting(continuation)
                        return nil
                    }
                    if let given { continuation.resume(with: given) }
                }
            } onCancel: {
                give(.failure(CancellationError()))
            }
        }
    }

    /// IPv4 first: it is there wherever IPv6 is, and not the other way round. Blocks.
    static func systemLookup(of host: String, port: Int) throws -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, "\(port)", &hints, &list)
        // A name server that does not answer now may answer later.
        guard result == 0 else { throw ResolutionFailure(host: host, reason: String(cString: gai_strerror(result))) }
        defer { freeaddrinfo(list) }
        var (first, second): ([SocketAddress], [SocketAddress]) = ([], [])
        var entry = list
        while let info = entry?.pointee {
            entry = info.ai_next
            guard let pointer = info.ai_addr else { continue }
            switch info.ai_family {
            case AF_INET:
                first.append(
                    pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { SocketAddress($0.pointee) })
            case AF_INET6:
                second.append(
                    pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { SocketAddress($0.pointee) })
            default: break
            }
        }
        return first + second
    }
}

/// A host without an address, for now.
struct ResolutionFailure: Error, Hashable, CustomStringConvertible {
    var host: String
    var reason: String
    var description: String { "\(host) cannot be found: \(reason)" }
}
