import LibSRT
import Synchronization

/// The SRT engine of a server, which is started when it is first needed: by its listener, or by a relay.
final class SRTEngineHolder: Sendable {
    private let state = Mutex(SRTEngine?.none)

    /// The engine.
    ///
    /// - Throws: `SRTFailure` if libsrt is missing.
    func engine() throws(SRTFailure) -> SRTEngine {
        try state.withLock { engine throws(SRTFailure) in
            if let engine { return engine }
            let started = try SRTEngine()
            engine = started
            return started
        }
    }

    /// Ends all connections, if there is an engine.
    func close() { state.withLock { $0 }?.close() }
}
