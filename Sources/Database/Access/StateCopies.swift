import Synchronization

/// The copies of the database's state by which a server decides without asking the database, such as who may watch
/// what.
///
/// A reader that reacts to an entry of the database, such as an event, must decide by a state that is at least as new
/// as the entry: it reads the entry, calls ``catchUp()``, and decides. A decision inside a transaction reads the state
/// in that transaction instead.
package final class StateCopies: Sendable {
    /// Brings a copy to the state of the database at the time of the call, or a later one.
    package typealias Refresh = @Sendable () async throws -> Void

    private let copies = Mutex<[(name: String, refresh: Refresh)]>([])

    package init() {}

    /// The names of all copies, in the order in which they were added.
    package var names: [String] { copies.withLock { $0.map(\.name) } }

    /// Adds a copy. Nothing else has to refresh it.
    ///
    /// - Parameters:
    ///   - name: what it holds, such as `audiences`.
    ///   - refresh: see ``Refresh``; cheap if nothing has changed. It is called by several tasks at once.
    package func add(_ name: String, _ refresh: @escaping Refresh) {
        copies.withLock { $0.append((name, refresh)) }
    }

    /// Forgets all copies, for a server that ends: each holds a domain, which may hold what asks for it.
    package func removeAll() { copies.withLock { $0.removeAll() } }

    /// Brings all copies to the state of the database at the time of the call, or a later one.
    ///
    /// - Throws: the first error, after all copies were tried. The caller must not decide then, and tries again later.
    package func catchUp() async throws {
        var failure: (any Error)?
        for copy in copies.withLock({ $0 }) {
            do {
                try await copy.refresh()
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }
}
