package import Logging

/// Values of a log line, by key.
package typealias LogValues = [LogKey: Logger.MetadataValue]

/// Logging with keys from ``LogKey`` instead of strings. As in swift-log, neither message nor values are made when the
/// level is not logged.
extension Logger {
    /// A value that every line of this logger carries.
    package subscript(key: LogKey) -> MetadataValue? {
        get { self[metadataKey: key.rawValue] }
        set { self[metadataKey: key.rawValue] = newValue }
    }

    /// Logs a constant message; everything that varies goes into the metadata.
    package func log(
        level: Level, _ message: @autoclosure () -> Message, metadata: @autoclosure () -> LogValues,
        file: String = #fileID, function: String = #function, line: UInt = #line
    ) {
        log(
            level: level, message(), metadata: metadata().namedByStrings, file: file, function: function, line: line)
    }

    /// Logs what only a developer needs.
    package func debug(
        _ message: @autoclosure () -> Message, metadata: @autoclosure () -> LogValues,
        file: String = #fileID, function: String = #function, line: UInt = #line
    ) {
        log(level: .debug, message(), metadata: metadata(), file: file, function: function, line: line)
    }

    /// Logs normal operation.
    package func info(
        _ message: @autoclosure () -> Message, metadata: @autoclosure () -> LogValues,
        file: String = #fileID, function: String = #function, line: UInt = #line
    ) {
        log(level: .info, message(), metadata: metadata(), file: file, function: function, line: line)
    }

    /// Logs an event that an operator may want to know of, although nothing is wrong.
    package func notice(
        _ message: @autoclosure () -> Message, metadata: @autoclosure () -> LogValues,
        file: String = #fileID, function: String = #function, line: UInt = #line
    ) {
        log(level: .notice, message(), metadata: metadata(), file: file, function: function, line: line)
    }

    /// Logs a fault that costs something but needs no action at once.
    package func warning(
        _ message: @autoclosure () -> Message, metadata: @autoclosure () -> LogValues,
        file: String = #fileID, function: String = #function, line: UInt = #line
    ) {
        log(level: .warning, message(), metadata: metadata(), file: file, function: function, line: line)
    }

    /// Logs a failure that an operator has to look at.
    package func error(
        _ message: @autoclosure () -> Message, metadata: @autoclosure () -> LogValues,
        file: String = #fileID, function: String = #function, line: UInt = #line
    ) {
        log(level: .error, message(), metadata: metadata(), file: file, function: function, line: line)
    }
}

extension LogValues {
    /// The same values with the keys as swift-log knows them.
    fileprivate var namedByStrings: Logger.Metadata {
        Logger.Metadata(uniqueKeysWithValues: map { ($0.key.rawValue, $0.value) })
    }
}
