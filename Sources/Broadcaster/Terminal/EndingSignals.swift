import Dispatch
import Glibc
import Synchronization

/// What tells the program to end: Ctrl-C, a service manager, a terminal that is closed. The first one is orderly; at the
/// second, whoever asks will not wait any longer.
final class EndingSignals: Sendable {
    private let cancelAll: @Sendable () -> Void

    /// - Parameters:
    ///   - onSignal: called once.
    ///   - onExit: called before the program ends at once.
    init(_ onSignal: @escaping @Sendable () -> Void, onExit: @escaping @Sendable () -> Void) {
        // What a pipe's reader leaves behind is an error of write's.
        signal(SIGPIPE, SIG_IGN)
        let hasSignalled = Flag()
        let numbers = [SIGINT, SIGTERM] + (Self.isIgnored(SIGHUP) ? [] : [SIGHUP])
        let sources = numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                guard !hasSignalled.set() else { return onSignal() }
                onExit()
                _exit(128 + number)
            }
            source.resume()
            return source
        }
        // Dispatch's sources may be cancelled from anywhere; their type does not say so.
        nonisolated(unsafe) let cancellable = sources
        cancelAll = { for source in cancellable { source.cancel() } }
    }

    func cancel() { cancelAll() }

    /// As nohup(1) leaves SIGHUP: the broadcast is to outlive its terminal.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private final class Flag: Sendable {
        private let isSet = Atomic(false)

        /// - Returns: whether it was the first time.
        func set() -> Bool { !isSet.exchange(true, ordering: .relaxed) }
    }
}
