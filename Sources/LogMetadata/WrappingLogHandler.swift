package import Logging

/// A log handler that does something with each event, and passes it on to another one, whose settings it has.
package protocol WrappingLogHandler: LogHandler {
    /// The handler that gets the events.
    var base: any LogHandler { get set }
}

extension WrappingLogHandler {
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
}
