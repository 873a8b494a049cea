import HLSPlaylist
import JSONDocument
package import Logging
package import MediaCore

/// Writes each log line as a JSON object: `time`, `level`, `label`, `message` and `metadata`, whose values are texts,
/// arrays or objects.
package struct JSONLogHandler: LogHandler {
    private let label: String
    private let clock: WallClock
    private let write: @Sendable (String) -> Void
    package var logLevel = Logger.Level.info
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    /// - Parameters:
    ///   - label: the logger's label.
    ///   - metadataProvider: adds values to each line.
    ///   - clock: tells the time of each line.
    ///   - write: writes a line, which ends with a line feed.
    package init(
        label: String, metadataProvider: Logger.MetadataProvider? = nil, clock: WallClock = .system,
        write: @escaping @Sendable (String) -> Void
    ) {
        (self.label, self.metadataProvider, self.clock, self.write) = (label, metadataProvider, clock, write)
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var values = metadata
        if let provided = metadataProvider?.get() { values.merge(provided) { $1 } }
        if let own = event.metadata { values.merge(own) { $1 } }
        if let error = event.error { values["error.message"] = "\(error)" }
        let line = JSONText.object([
            ("time", .string(ProgramDateTime(millisecondsSince1970: clock.now().millisecondsSince1970).description)),
            ("level", .string(event.level.rawValue)),
            ("label", .string(label)), ("message", .string("\(event.message)")), ("metadata", Self.json(values)),
        ])
        write("\(line.rendered)\n")
    }

    private static func json(_ metadata: Logger.Metadata) -> JSONText {
        .object(metadata.sorted { $0.key < $1.key }.map { ($0.key, json($0.value)) })
    }

    private static func json(_ value: Logger.Metadata.Value) -> JSONText {
        switch value {
        case .string(let text): .string(text)
        case .stringConvertible(let convertible): .string(convertible.description)
        case .array(let values): .array(values.map(json))
        case .dictionary(let metadata): json(metadata)
        }
    }
}
