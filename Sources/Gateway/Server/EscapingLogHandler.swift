package import Logging
import MediaCore

/// Escapes what strangers chose in every log line, so that no line forges another or steers a terminal: user agents,
/// user names, file names, error texts of peers.
///
/// It stands in front of the handler that writes, because there is one of these and hundreds of places that log.
package struct EscapingLogHandler: LogHandler {
    /// Longer messages are cut; what varies belongs into metadata.
    static let maximumMessageCharacterCount = 2_000

    private var base: any LogHandler

    package init(_ base: any LogHandler) {
        self.base = base
    }

    package var logLevel: Logger.Level {
        get { base.logLevel }
        set { base.logLevel = newValue }
    }

    package var metadataProvider: Logger.MetadataProvider? {
        get { base.metadataProvider }
        set { base.metadataProvider = newValue }
    }

    package var metadata: Logger.Metadata {
        get { base.metadata }
        set { base.metadata = Self.escaped(newValue) }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { base[metadataKey: key] }
        set { base[metadataKey: UntrustedText.escaped(key)] = newValue.map(Self.escaped) }
    }

    package func log(event: LogEvent) {
        var event = event
        let message = UntrustedText.escaped(
            event.message.description, maximumCharacterCount: Self.maximumMessageCharacterCount)
        event.message = Logger.Message(stringLiteral: message)
        event.metadata = event.metadata.map(Self.escaped)
        event.error = event.error.map { EscapedError(description: UntrustedText.escaped("\($0)")) }
        base.log(event: event)
    }

    private static func escaped(_ metadata: Logger.Metadata) -> Logger.Metadata {
        var escaped = Logger.Metadata(minimumCapacity: metadata.count)
        for (key, value) in metadata { escaped[UntrustedText.escaped(key)] = Self.escaped(value) }
        return escaped
    }

    private static func escaped(_ value: Logger.Metadata.Value) -> Logger.Metadata.Value {
        switch value {
        case .string(let text): .string(UntrustedText.escaped(text))
        case .stringConvertible(let convertible): .string(UntrustedText.escaped(convertible.description))
        case .array(let values): .array(values.map(escaped))
        case .dictionary(let metadata): .dictionary(escaped(metadata))
        }
    }

    /// Replaces an error whose text a peer may have chosen.
    private struct EscapedError: Error, CustomStringConvertible {
        let description: String
    }
}
