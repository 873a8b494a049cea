/// The reason why `channels.json` was not changed.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        case noSuchChannel
        /// The file is no longer the one that the caller has read.
        case changedMeanwhile
        /// The edit is not one that the file can take.
        case notPossible
        /// The edit names files of the server's machine, or services that get secrets out of such files, which is for
        /// those who are on the machine.
        case notAllowed
        /// The file cannot be written.
        case notWritable
    }

    package var code: Code
    package var description: String

    /// The error for a name that no channel of the file has.
    package static func noSuchChannel(_ name: String) -> ConfigurationError {
        ConfigurationError(.noSuchChannel, "there is no channel \"\(name)\" in channels.json")
    }

    package init(_ code: Code, _ description: String) { (self.code, self.description) = (code, description) }
}
