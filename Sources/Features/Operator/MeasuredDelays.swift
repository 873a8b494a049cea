import Database
import MediaCore
import NIOCore
import Synchronization
import WebSite

/// Measures how long the server's own parts take to answer.
final class MeasuredDelays: Sendable {
    private let measured = Mutex(ServerDelays())

    var delays: ServerDelays { measured.withLock { $0 } }

    /// Asks each event loop and the database.
    func measure(_ group: any EventLoopGroup, _ database: any SQLDatabase) async {
        var delays = ServerDelays()
        for loop in group.makeIterator() {
            let start = ContinuousClock.now
            guard (try? await loop.submit({}).get()) != nil else { continue }
            delays.eventLoop = max(delays.eventLoop ?? .zero, ContinuousClock.now - start)
        }
        let start = ContinuousClock.now
        let answer = try? await database.read { db in try db.firstValue("SELECT 1") as Int64? }
        if answer != nil { delays.database = ContinuousClock.now - start }
        measured.withLock { [delays] in $0 = delays }
    }
}
