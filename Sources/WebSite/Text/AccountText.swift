import Accounts
import Foundation
import HTTPEndpoints
import IdentityProviders
import MediaCore
import SiteTexts

/// The texts of the account pages in one language.
struct AccountText: SiteTextSection {
    static let section = "account"

    let browserOnSystem: String
    /// The pages of an account.
    let profile, security, devices, ownData, administration, exportText, exportArchive: String
    let language: SiteLanguage
    /// The texts of errors.
    let errors: NamedTexts<Refusal.Code>
    /// The texts of the other errors, in place of the reasons that the accounts give in English.
    let reasons: NamedTexts<Refusal.Code>
    let roles: NamedTexts<Role>
    let states: NamedTexts<AccountState>
    let logIn, logOut, signUp, username, usernameOrEmail, email, password, stayLoggedIn, forgotPassword: String
    let secondFactor, code, codeText, optional, name, mobile, city, country: String
    let signUpClosed, signUpByInvitation, signUpByApproval, waitsForApproval, waitsForConfirmation: String
    let setUp, setUpText, createAccount, confirmEmail, emailConfirmed, askForLink: String
    let newPassword, changePassword, passwordReset, currentPassword, changeEmail: String
    let role, details, save, saved, sessions, unknownDevice, thisOne, endOthers, revoke: String
    let tokens, tokensText, noTokens, appPassword, apiToken, lastUsed, tokenName, kind, mayPublish, makeToken,
        shownOnce: String
    let secondFactorText, turnOn, turnOff, scanText, recoveryCodes, recoveryCodesText, recoveryCodesLeft: String
    let connectDevice, connectDeviceText, deviceCode, goOn, isThisYours, approve, refuse: String
    let deleteAccount, deleteAccountText, export, exportFiles, exportJSON, publicProfile, goBack: String
    let users, nobodyFound, invite, inviteText, suspend, restore, changeRole, passwordLink, linkText, lastLogIn: String
    let suspensionDays, suspendedUntil: String
    let languageField, browsersLanguage: String
    let auditLog, more: String
    let passkeys, passkeysText, passkeyName, addPasskey, usePasskey, passkeyFailed: String
    let qrCode, search, searchUsers, searchEvents: String
    let sendMail, mailSent, sendAgain, sendAgainText, forgotPasswordText, confirmNewAddress: String
    let otherWays, connectedAccounts, connectedAccountsText, disconnect, connect, connectInstead, tryAgain: String
    let account, setPassword: String
    /// Sentences with a name in them.
    let continueWithName, continueAndStayWithName, connectWithName, connectQuestionName, signUpWithName: String
    let providerErrors: NamedTexts<ProviderError.Code>
    let photo, photoText, choosePhoto, usePhoto, removePhoto, photoNotUsable, photoTooLarge: String
    let usePictureOfName, noPicture: String

    func continueWith(_ provider: String) -> String { continueWithName.filled("name", with: provider) }
    func continueAndStayWith(_ provider: String) -> String {
        continueAndStayWithName.filled("name", with: provider)
    }
    func connectWith(_ provider: String) -> String { connectWithName.filled("name", with: provider) }
    func usePictureOf(_ provider: String) -> String { usePictureOfName.filled("name", with: provider) }
    func connectQuestion(_ username: String) -> String { connectQuestionName.filled("name", with: username) }
    func signUpWith(_ provider: String) -> String { signUpWithName.filled("name", with: provider) }

    func name(of role: Role) -> String { roles[role] ?? role.rawValue }

    func name(of state: AccountState) -> String { states[state] ?? state.rawValue }

    /// A point in time as people of the language write it.
    func time(_ time: WallClockTime) -> PageText { PageText(time, locale: language.locale) }

    /// A point in time in the past, which is shown by its distance while it is near.
    func ago(_ time: WallClockTime) -> PageText { PageText(time, locale: language.locale, isRelative: true) }

    /// The reason of an error, for the top of a page.
    func error(_ error: Refusal) -> String {
        var text = errors[error.code] ?? (language == .english ? nil : reasons[error.code]) ?? error.reason
        if let end = error.suspendedUntil { text = suspendedUntil.filled("time", with: time(end).plain) }
        if let delay = error.retryAfter { text += " (\(Int(delay.seconds.rounded(.up))) s)" }
        return text.withCapital + (text.hasSuffix(".") ? "" : ".")
    }

    /// The reason why a field is refused, for the place beside it.
    func fieldError(_ error: Refusal) -> String { self.error(error) }
}
