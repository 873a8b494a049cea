import Accounts
import Foundation
import HTTPEndpoints
import MediaCore
import SiteTexts

/// The texts of mails about accounts in one language.
struct AccountMailText: SiteTextSection {
    static let section = "mails"

    private let language: SiteLanguage
    let confirmationSubject, confirmationIgnored: String
    let newAddressSubject, newAddressIgnored, addressChangeSubject: String
    let passwordResetSubject, passwordResetIgnored, passwordChangedSubject, passwordChanged: String
    let credentialsEnded: String
    let suspendedSubject: String

    let hello, confirmation, newAddress, addressChange, changePassword, passwordReset, askForPassword: String
    private let suspendedUntil, suspended: String
    private let hours: PluralText

    func greeting(_ username: String) -> String { hello.filled("name", with: username) }

    /// The time for which a link works, such as `24 hours`.
    func time(_ link: NewLink) -> String {
        hours(max(1, Int((link.link.expiresAt - link.link.createdAt).seconds) / 3_600))
    }

    func suspended(until end: WallClockTime?) -> String {
        guard let end else { return suspended }
        let style = Date.FormatStyle(
            date: .long, time: .shortened, locale: Locale(identifier: language.rawValue), timeZone: .gmt)
        return suspendedUntil.filled("time", with: Date(end).formatted(style))
    }
}
