import SiteTexts

/// The texts about the site as an app, in one language.
package struct InstallationText: SiteTextSection {
    package static let section = "installation"

    let language: SiteLanguage
    let heading, introduction, install, onPhones, onAndroid, onComputers, needsHTTPS, howToHTTPS: String
    let offline, offlineText, tryAgain: String
    let live, radio, upload: String
}
