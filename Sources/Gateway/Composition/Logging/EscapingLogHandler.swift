import LogMetadata
package import Logging
import MediaCore

/// Escapes untrusted text in every log line, so that it cannot forge another line or control a terminal: user agents,
/// user names, file names, and error messages of peers.
///
/// It wraps the handler that writes, because there is one such handler and hundreds of places that log.
package struct EscapingLogHandler: WrappingLogHandler {
    /// Longer messages are cut; varying values belong in the metadata.
    static let maximumMessageCharacterCount = 2_000

    package var base: any LogHandler

    /// - Parameter base: the handler that writes.
    package init(_ base: any LogHandler) {
        self.base = base
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

    /// Stands in for an error whose text may come from a peer.
    private struct EscapedError: Error, CustomStringConvertible {
        let description: String
    }
}
