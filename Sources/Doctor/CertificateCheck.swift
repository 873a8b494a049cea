import Foundation
import MediaCore
import ServerSettings
import TransportSecurity

/// Checks that the TLS certificate and its key can be used, and for how long.
struct CertificateCheck: DoctorCheck {
    let name = "certificate"
    let state: State
    let now: WallClockTime

    /// The state of the certificate.
    enum State: Sendable, Hashable {
        /// No certificate is configured.
        case none
        case unusable(String)
        case expires(WallClockTime, file: String)
    }

    /// Time before the end in which a renewal is overdue: certbot renews 30 days before.
    static let warningPeriod = Duration.seconds(14 * 86_400)

    var finding: DoctorFinding {
        switch state {
        case .none: return .ok("no certificate is configured; HTTPS and RTSPS are off")
        case .unusable(let reason):
            return .problem(
                reason, remedy: "correct --tls-cert and --tls-key, and let the server's user read the files")
        case .expires(let time, let file):
            let date = Date(time).formatted(.iso8601)
            let remedy = "renew the certificate, for example with certbot renew; the server reads the new files itself"
            if time <= now { return .problem("the certificate in \(file) expired at \(date)", remedy: remedy) }
            let text = "the certificate in \(file) is valid until \(date)"
            return time - now < Self.warningPeriod ? .warning(text, remedy: remedy) : .ok(text)
        }
    }

    /// Reads the files.
    static func examine(_ configuration: ServerConfiguration, now: WallClockTime) -> CertificateCheck {
        guard let files = configuration.tls else { return CertificateCheck(state: .none, now: now) }
        do throws(TLSIdentityError) {
            _ = try TLSIdentity(certificatePath: files.certificate, keyPath: files.key)
            let time = try TLSIdentity.expiryTime(ofCertificatesAt: files.certificate)
            return CertificateCheck(state: .expires(time, file: files.certificate), now: now)
        } catch {
            return CertificateCheck(state: .unusable(error.description), now: now)
        }
    }
}
