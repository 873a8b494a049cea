import AsyncHTTPClient
import MediaCore
import XMLDocument

/// Turns errors of the HTTP client into failures of a try.
enum TransportFailure {
    /// - Returns: An ``AttemptFailure``, or the error itself if it is not one of the transport.
    static func attemptFailure(_ error: any Error, _ settings: ObjectStoreSettings, host: String) -> any Error {
        if error is AttemptFailure || error is CancellationError || error is ConsumerFailure { return error }
        if Task.isCancelled { return CancellationError() }
        if let error = error as? MediaStorageError { return error }
        if let error = error as? HTTPClientError, error == .alreadyShutdown {
            return MediaStorageError(.shutDown, "the store has been shut down")
        }
        if let error = error as? XMLReader.Failure {
            // Half an answer, or one of a proxy in between.
            return AttemptFailure(
                MediaStorageError(.malformedAnswer, "the store's answer cannot be understood: \(error)"),
                isRetryable: true)
        }
        return AttemptFailure(
            MediaStorageError(.unavailable, reason(error, settings, host)), isRetryable: true)
    }

    private static func reason(_ error: any Error, _ settings: ObjectStoreSettings, _ host: String) -> String {
        switch error as? HTTPClientError {
        case .connectTimeout?: "no connection to \(host) within \(settings.connectTimeout.seconds.formatted) s"
        case .readTimeout?: "\(host) fell silent for \(settings.readTimeout.seconds.formatted) s or more"
        case .writeTimeout?: "\(host) took no data for \(settings.writeTimeout.seconds.formatted) s"
        case .remoteConnectionClosed?: "\(host) closed the connection"
        default: "no connection to \(host) (\(UntrustedText.escaped("\(error)", maximumCharacterCount: 300)))"
        }
    }
}

extension Double {
    /// Without a fraction if there is none.
    fileprivate var formatted: String { self == rounded() ? "\(Int(self))" : "\(self)" }
}
