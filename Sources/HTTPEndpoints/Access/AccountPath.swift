/// The paths of pages to which one-time links lead.
package enum AccountPath {
    package static let account = "/cuenta"
    package static let security = "/cuenta/seguridad"
    package static let devices = "/cuenta/dispositivos"
    package static let ownData = "/cuenta/mis-datos"
    package static let users = "/cuenta/usuarios"
    package static let auditLog = "/cuenta/registro-de-cambios"
    package static let logIn = "/cuenta/entrar"
    package static let signUp = "/cuenta/registro"
    package static let setUp = "/cuenta/inicio"
    package static let confirmation = "/cuenta/confirmar"
    package static let newPassword = "/cuenta/clave"
    /// The page on which somebody types the code that a television shows.
    package static let device = "/cuenta/dispositivo"
    /// The query parameter that holds the secret of a one-time link.
    package static let linkParameter = "link"
}
