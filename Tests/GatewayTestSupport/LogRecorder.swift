package import Logging
import Synchronization

/// Records log lines.
package struct LogRecorder: LogHandler {
    private final class Lines: Sendable {
        let value = Mutex<[String]>([])
    }

    private let lines = Lines()
    package var logLevel = Logger.Level.debug
    package var metadata: Logger.Metadata = [:]

    package init() {}

    /// The lines as `LEVEL TEXT key=value …`.
    package var text: String { lines.value.withLock { $0.joined(separator: "\n") } }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let fields = (event.metadata ?? [:]).map { " \($0.key)=\($0.value)" }.sorted().joined()
        lines.value.withLock { $0.append("\(event.level) \(event.message)\(fields)") }
    }
}
