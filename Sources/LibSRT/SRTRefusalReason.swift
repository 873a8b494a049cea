import CLibSRT

/// A reason for which a connection is refused, with the code that its caller is shown (access_control.h).
package enum SRTRefusalReason: Sendable, Hashable {
    case badRequest
    case unauthorized
    case overload
    case forbidden
    case notFound
    case conflict
    case unavailable

    var code: CInt {
        switch self {
        case .badRequest: CInt(SRT_REJX_BAD_REQUEST)
        case .unauthorized: CInt(SRT_REJX_UNAUTHORIZED)
        case .overload: CInt(SRT_REJX_OVERLOAD)
        case .forbidden: CInt(SRT_REJX_FORBIDDEN)
        case .notFound: CInt(SRT_REJX_NOTFOUND)
        case .conflict: CInt(SRT_REJX_CONFLICT)
        case .unavailable: CInt(SRT_REJX_UNACCEPTABLE)
        }
    }
}
