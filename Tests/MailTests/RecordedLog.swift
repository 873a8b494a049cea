import Logging
import Synchronization

/// Log lines as `LEVEL TEXT key=value …`.
struct RecordedLog: LogHandler {
    private final class Lines: Sendable {
        let value = Mutex<[String]>([])
    }

    private let lines = Lines()
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    var text: String { lines.value.withLock { $0.joined(separator: "\n") } }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let values = (event.metadata ?? [:]).map { " \($0.key)=\($0.value)" }.sorted().joined()
        lines.value.withLock { $0.append("\(event.level) \(event.message)\(values)") }
    }
}
