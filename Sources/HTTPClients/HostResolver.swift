import Foundation
import LibraryCore
package import NIOCore
import Synchronization

/// Resolves host names on threads of its own, so that an unresponsive name server blocks nothing else.
///
/// A waiting `getaddrinfo` cannot be cancelled, so its thread continues after the deadline. Their number is limited;
/// while the limit is reached, no more names are resolved.
package final class HostResolver: Sendable {
    /// Returns the addresses of a host; blocks.
    package typealias Lookup = @Sendable (_ host: String, _ port: Int) throws -> [SocketAddress]

    /// Limit of threads, more than the concurrent imports with a few attempts each need.
    package static let maximumThreadCount = 8
    /// Time that a caller waits; a resolver's default is 5 seconds per name server.
    package static let deadline = Duration.seconds(10)

    private let lookup: Lookup
    private let maximumThreadCount: Int
    private let deadline: Duration
    private let clock: any Clock<Duration>
    private let threadCount = Mutex(0)

    package init(
        maximumThreadCount: Int = HostResolver.maximumThreadCount, deadline: Duration = HostResolver.deadline,
        clock: any Clock<Duration> = ContinuousClock(), lookup: @escaping Lookup = HostResolver.systemLookup
    ) {
        self.maximumThreadCount = maximumThreadCount
        self.deadline = deadline
        self.clock = clock
        self.lookup = lookup
    }

    /// Number of threads that are resolving a name, including those past their deadline.
    var busyThreadCount: Int { threadCount.withLock { $0 } }

    /// The addresses of a host, IPv4 first.
    ///
    /// - Throws: `ResolutionFailure`, after which another attempt may succeed; `LibraryError` if too many lookups are
    ///   waiting already.
    package func addresses(of host: String, port: Int) async throws -> [SocketAddress] {
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
                    "the name server does not answer, and \(count) lookups are already waiting; check the name servers "
                        + "in /etc/resolv.conf, then retry the job")
            }
            count += 1
        }
    }

    /// Passes the result of a thread to the task that waits for it, if it still does.
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

        /// Waits for the result, for a single caller; throws at once when the task is cancelled.
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

    /// The addresses from the system's resolver, IPv4 first, because IPv4 works wherever IPv6 does but not vice versa.
    /// Blocks.
    package static func systemLookup(of host: String, port: Int) throws -> [SocketAddress] {
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
