import Accounts
import HTTPEndpoints
import MediaCore
import SiteTexts

/// The texts of the form for help and of the inbox.
struct SupportText: SiteTextSection {
    static let section = "support"

    let help, explanation, sender, subject, text, send, sent: String
    let tooMany, full, tooLong: String
    let inbox, empty, delete, more: String

    /// The message for a visitor; the reasons of errors are in English.
    func error(_ error: Refusal, _ account: AccountText) -> String {
        switch error.code {
        case .tooManyAttempts: tooMany
        case .busy: full
        case .invalidField: tooLong
        default: account.error(error)
        }
    }
}
