package import Logging

/// Keeps what a log handler writes in a ``LogTail``, too.
package struct TailedLogHandler: WrappingLogHandler {
    package var base: any LogHandler
    private let tail: LogTail

    /// - Parameters:
    ///   - base: the handler that writes.
    ///   - tail: keeps the lines.
    package init(_ base: any LogHandler, tail: LogTail) { (self.base, self.tail) = (base, tail) }

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
