import HTTPEndpoints
import HTTPTypes
import MediaIntake

extension ProblemDetails {
    init(_ error: UploadError) {
        let status: HTTPResponse.Status =
            switch error.code {
            case .unknown: .notFound
            case .offsetMismatch: .conflict
            case .incomplete: .badRequest
            case .checksumMismatch: HTTPResponse.Status(code: 460, reasonPhrase: "Checksum Mismatch")
            case .locked: HTTPResponse.Status(code: 423, reasonPhrase: "Locked")
            case .tooLarge: .contentTooLarge
            case .tooMany: .tooManyRequests
            case .storage: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
            }
        self.init(status, error.reason)
    }
}
