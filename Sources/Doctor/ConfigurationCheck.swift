import Features
import Gateway
import Logging
import ServerSettings

/// Checks that the flags and variables are valid, and that the files of secrets and keys that they name can be used.
struct ConfigurationCheck: DoctorCheck {
    let name = "configuration"
    /// The mistake in the settings; `nil` if they are valid.
    let mistake: String?

    var finding: DoctorFinding {
        guard let mistake else { return .ok("the flags and environment variables are valid") }
        return .problem(
            mistake, remedy: "correct the setting; antena serve --help lists the flags, and each has a variable")
    }

    /// Reads the files that the settings name.
    static func examine(_ configuration: ServerConfiguration) async -> ConfigurationCheck {
        do {
            _ = try configuration.mail?.credential()
            if let tokens = configuration.mediaTokens {
                // Fetches nothing: keys with a URL are fetched when they are needed.
                let logger = Logger(label: "antena.doctor", factory: { _ in SwiftLogNoOpLogHandler() })
                _ = try await MediaTokensStart(configuration: tokens, logger: logger).open()
            }
            if let file = configuration.paymentSecretFile { _ = try PaymentsStart(file: file).open() }
            return ConfigurationCheck(mistake: nil)
        } catch {
            return ConfigurationCheck(mistake: "\(error)")
        }
    }
}
