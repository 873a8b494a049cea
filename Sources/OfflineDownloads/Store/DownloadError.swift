import MediaCore

/// The reason why an offline copy cannot be downloaded or played, in a sentence for the user.
package struct DownloadError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of error.
    package enum Code: Sendable, Hashable {
        /// The rental's time is over, or it was refunded; what the device has of it is deleted.
        case rentalEnded
        /// The rental's time has not begun, so that the key was not released.
        case notActivated
        /// The title has changed on the server; the copy has to be downloaded again.
        case copyReplaced
        /// The address has expired; the manifest has a new one.
        case addressExpired
        /// The server does not answer, or is busy; the same may succeed later.
        case unreachable
        /// The server refuses for another reason.
        case refused
        /// A file of the copy is missing or damaged.
        case damaged
        /// Another process is at it.
        case busy
        /// The clock of the machine was set back.
        case clockSetBack
        case notFound
    }

    package var code: Code
    package var description: String
    /// When the server wants to be asked again; `nil` if it has not said.
    var retryAfter: Duration?

    package init(_ code: Code, _ description: String, retryAfter: Duration? = nil) {
        self.code = code
        // The text may contain text of the server.
        self.description = UntrustedText.escaped(description)
        self.retryAfter = retryAfter
    }
}
