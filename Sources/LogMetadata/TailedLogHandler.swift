package import Logging

/// Keeps what a log handler writes in a ``LogTail``, too.
package struct TailedLogHandler: LogHandler {
    private var base: any LogHandler
    private let tail: LogTail

    /// - Parameters:
    ///   - base: the handler that writes.
    ///   - tail: keeps the lines.
    package init(_ base: any LogHandler, tail: LogTail) { (self.base, self.tail) = (base, tail) }

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
        set { base.metadata = newValue }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { base[metadataKey: key] }
        set { base[metadataKey: key] = newValue }
    }

    package func log(event: LogEvent) {
        var values = metadata
        if let provided = metadataProvider?.get() { values.merge(provided) { $1 } }
        if let own = event.metadata { values.merge(own) { $1 } }
        if let error = event.error { values["error.message"] = "\(error)" }
        let text = values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        tail.add(event.level, "\(event.message)", text)
        base.log(event: event)
    }
}
