import Synchronization

/// The progress of a relay with one connection.
package final class RelayProgress: Sendable {
    package struct Values: Sendable, Hashable {
        /// Whether media flows.
        package var isRunning = false
        package var byteCount = 0
        /// Frames for which the other side was too slow.
        package var droppedUnitCount = 0
    }

    private let state = Mutex(Values())

    package init() {}

    package var values: Values { state.withLock { $0 } }

    /// Media flows from now on.
    package func started() { state.withLock { $0.isRunning = true } }

    package func add(byteCount: Int) { state.withLock { $0.byteCount += byteCount } }

    package func set(byteCount: Int) { state.withLock { $0.byteCount = byteCount } }

    package func set(droppedUnitCount: Int) { state.withLock { $0.droppedUnitCount = droppedUnitCount } }
}
