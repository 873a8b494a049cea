import Dispatch
import Glibc
import Synchronization

/// The signals that end the program: Ctrl-C, a service manager, a closed terminal. The first one ends it in an orderly
/// way, the second one at once.
final class EndingSignals: Sendable {
    private let cancelAll: @Sendable () -> Void

    /// Starts handling signals.
    ///
    /// - Parameters:
    ///   - onSignal: Called once, for the first signal.
    ///   - onExit: Called before the program ends at once.
    init(_ onSignal: @escaping @Sendable () -> Void, onExit: @escaping @Sendable () -> Void) {
        // A closed pipe is reported as an error of write(2) instead.
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

    /// Stops handling signals.
    func cancel() { cancelAll() }

    /// Returns whether a signal is ignored, as nohup(1) does with SIGHUP: the broadcast is to outlive its terminal.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private final class Flag: Sendable {
        private let isSet = Atomic(false)

        /// Sets the flag.
        ///
        /// - Returns: Whether it was unset before.
        func set() -> Bool { !isSet.exchange(true, ordering: .relaxed) }
    }
}
