/// A listener could not be opened.
package struct RTMPListenerError: Error {
    package enum Listener: Sendable {
        case plain, secure
    }

    package var listener: Listener
    package var cause: any Error
}
