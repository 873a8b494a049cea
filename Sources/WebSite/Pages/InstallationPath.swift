/// The paths of the site as an app.
enum InstallationPath {
    static let manifest = "/site/manifest.webmanifest"
    static let install = "/instalar"
    static let offline = "/sin-conexion"
    /// The path to which systems send what other apps share. The service worker takes it; the server has nothing there
    /// but a way to the page that sends videos.
    static let sharing = "/compartir"
    /// The parameter of the page that sends videos for what was shared.
    static let sharedParameter = "compartido"
}
