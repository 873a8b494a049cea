import Accounts
import Foundation
import HTTPEndpoints
import IdentityProviders
import MediaCore

/// The texts of the account pages in one language.
struct AccountText: Sendable {
    /// The texts of errors, by code; the reason that the accounts give is used for all others in English.
    var errors: [AccountsError.Code: String]
    var roles: [Role: String]
    var states: [AccountState: String]
    var locale: String
    var logIn, logOut, signUp, username, usernameOrEmail, email, password, stayLoggedIn, forgotPassword: String
    var secondFactor, code, codeText, optional, name, mobile, city, country: String
    var signUpClosed, signUpByInvitation, signUpByApproval, waitsForApproval, waitsForConfirmation: String
    var setUp, setUpText, createAccount, confirmEmail, emailConfirmed, askForLink: String
    var newPassword, changePassword, passwordReset, currentPassword, changeEmail: String
    var role, details, access, save, saved, sessions, unknownDevice, thisOne, endOthers, revoke: String
    var tokens, tokensText, appPassword, apiToken, lastUsed, tokenName, kind, mayPublish, makeToken, shownOnce: String
    var secondFactorText, turnOn, turnOff, scanText, recoveryCodes, recoveryCodesText, recoveryCodesLeft: String
    var connectDevice, connectDeviceText, deviceCode, goOn, isThisYours, approve, refuse: String
    var deleteAccount, deleteAccountText, export, exportFiles, exportJSON, publicProfile, goBack: String
    var users, nobodyFound, invite, inviteText, suspend, restore, changeRole, passwordLink, linkText, lastLogIn: String
    var suspensionDays, suspendedUntil: String
    var language, browsersLanguage: String
    var auditLog, more: String
    var passkeys, passkeysText, passkeyName, addPasskey, usePasskey, passkeyFailed: String
    var qrCode, search, searchUsers, searchEvents: String
    var sendMail, mailSent, sendAgain, sendAgainText, forgotPasswordText, confirmNewAddress: String
    var otherWays, connectedAccounts, connectedAccountsText, disconnect, connect, connectInstead, tryAgain: String
    var account, setPassword: String
    /// Sentences with a name in place of `%`.
    var continueWithName, continueAndStayWithName, connectWithName, connectQuestionName, signUpWithName: String
    var providerErrors: [ProviderError.Code: String]
    var photo, photoText, choosePhoto, usePhoto, removePhoto, photoNotUsable, photoTooLarge: String
    var usePictureOfName, noPicture: String

    static func preferred(_ acceptLanguage: String?) -> AccountText {
        SiteText.preferred(acceptLanguage).language == "es" ? spanish : english
    }

    func continueWith(_ provider: String) -> String { continueWithName.replacing("%", with: provider) }
    func continueAndStayWith(_ provider: String) -> String {
        continueAndStayWithName.replacing("%", with: provider)
    }
    func connectWith(_ provider: String) -> String { connectWithName.replacing("%", with: provider) }
    func usePictureOf(_ provider: String) -> String { usePictureOfName.replacing("%", with: provider) }
    func connectQuestion(_ username: String) -> String { connectQuestionName.replacing("%", with: username) }
    func signUpWith(_ provider: String) -> String { signUpWithName.replacing("%", with: provider) }

    func name(of role: Role) -> String { roles[role] ?? role.rawValue }

    func name(of state: AccountState) -> String { states[state] ?? state.rawValue }

    /// A point in time as people of the language write it.
    func time(_ time: WallClockTime) -> PageText { PageText(time, locale: locale) }

    /// What went wrong, for the top of a page.
    func error(_ error: AccountsError) -> String {
        var text = errors[error.code] ?? error.reason
        if let end = error.suspendedUntil { text = suspendedUntil.replacing("{time}", with: time(end).plain) }
        if let delay = error.retryAfter { text += " (\(Int(delay.seconds.rounded(.up))) s)" }
        return text.withCapital + (text.hasSuffix(".") ? "" : ".")
    }

    /// What is wrong with a field, for the place beside it.
    func fieldError(_ error: AccountsError) -> String { self.error(error) }

    /// The name of a language in that language.
    static func name(of language: SiteLanguage) -> String {
        switch language {
        case .english: "English"
        case .spanish: "Español"
        }
    }

    static let english = AccountText(
        errors: [
            .missingFields: "please fill in the fields that are marked",
            .changedMeanwhile: "somebody else has changed this meanwhile; look at it, and do it again",
            .forbidden: "your account may not do this",
        ],
        roles: [
            .viewer: "viewer", .member: "member", .broadcaster: "broadcaster", .moderator: "moderator",
            .operator: "operator", .administrator: "administrator",
        ],
        states: [
            .active: "active", .suspended: "suspended", .awaitingApproval: "waits for approval",
            .awaitingConfirmation: "has not confirmed the e-mail address",
        ], locale: "en_GB", logIn: "Log in", logOut: "Log out", signUp: "Sign up", username: "Username",
        usernameOrEmail: "Username or e-mail address", email: "E-mail address", password: "Password",
        stayLoggedIn: "Stay logged in on this device", forgotPassword: "Forgotten your password?",
        secondFactor: "Second factor", code: "Code",
        codeText: "Type the code that your authenticator app shows, or one of your recovery codes.",
        optional: "optional", name: "Name", mobile: "Mobile number", city: "City", country: "Country",
        signUpClosed: "Nobody can sign up here. Ask an administrator for an account.",
        signUpByInvitation: "Signing up needs an invitation. Ask an administrator for one.",
        signUpByApproval: "An administrator looks at each new account before it can be used.",
        waitsForApproval: "Thank you. An administrator will look at your account; then you can log in.",
        waitsForConfirmation: "Thank you. Follow the link in the mail that was sent to your address.",
        setUp: "The first administrator",
        setUpText: "This account can do everything on this server. The link works once.",
        createAccount: "Create account", confirmEmail: "Confirm e-mail address",
        emailConfirmed: "Your e-mail address is confirmed. You can log in now.",
        askForLink: "Ask an administrator for a link with which you set a new password.",
        newPassword: "New password", changePassword: "Change password",
        passwordReset:
            "Your password is changed. All sessions, app passwords, API tokens, devices for offline copies and push messages of your account have ended, and your webhooks are off; set up again what you still use.",
        currentPassword: "Current password", changeEmail: "Change e-mail address", role: "Role", details: "Details",
        access: "E-mail address and password", save: "Save", saved: "Done.", sessions: "Where you are logged in",
        unknownDevice: "Unknown device", thisOne: "this browser", endOthers: "Log out everywhere else",
        revoke: "End", tokens: "Programs",
        tokensText:
            "An app password is for a program that asks for a username and a password. An API token is for scripts. Neither is your own password, and each can be ended by itself.",
        appPassword: "App password", apiToken: "API token", lastUsed: "Last used", tokenName: "For which program?",
        kind: "Kind", mayPublish: "May push to channels", makeToken: "Make it",
        shownOnce: "Copy this now. It is not shown again.",
        secondFactorText: "With a second factor, logging in also needs a code from an app on your phone.",
        turnOn: "Turn on", turnOff: "Turn off",
        scanText: "Give this address to your authenticator app, then type the code that it shows.",
        recoveryCodes: "Recovery codes",
        recoveryCodesText:
            "Keep these where you find them without your phone. Each works once. They are not shown again.",
        recoveryCodesLeft: "Recovery codes that are left", connectDevice: "Connect a television",
        connectDeviceText: "Type the code that your television shows.", deviceCode: "Code on the screen",
        goOn: "Continue", isThisYours: "Is this your device? It will be logged in to your account.",
        approve: "Approve", refuse: "Refuse", deleteAccount: "Delete account",
        deleteAccountText: "Your account, its sessions and its programs are gone at once.",
        export: "Download all data of this account (ZIP)",
        exportFiles: "The same with the files of your videos (ZIP, can be many gigabytes)",
        exportJSON: "The same for programs (JSON)",
        publicProfile: "Your public profile", goBack: "Back", users: "Accounts",
        nobodyFound: "There is no such account.", invite: "Invite somebody",
        inviteText: "Makes a link with which somebody signs up. It works once, within a week.",
        suspend: "Suspend", restore: "Restore", changeRole: "Change role", passwordLink: "Link for a new password",
        linkText: "Give this link to the person it is for. It works once, and is not shown again.",
        lastLogIn: "Last log-in", suspensionDays: "Number of days; empty for a suspension without end",
        suspendedUntil: "your account is suspended until {time}; ask an administrator for the reason",
        language: "Language", browsersLanguage: "that of the browser",
        auditLog: "Audit log", more: "More", passkeys: "Passkeys",
        passkeysText:
            "With a passkey you log in by fingerprint, face or PIN instead of the password. Adding one needs a browser with scripts.",
        passkeyName: "Name of the device", addPasskey: "Add a passkey", usePasskey: "Log in with a passkey",
        passkeyFailed: "The browser has no passkey for this site, or the question was dismissed. Try again.",
        qrCode: "QR code for the authenticator app", search: "Search", searchUsers: "Username or e-mail address",
        searchEvents: "Kind of change, such as account.suspended", sendMail: "Send the mail",
        mailSent:
            "If an account waits for this, a mail is on its way to the address. Look among unwanted mail, too.",
        sendAgain: "No mail has arrived?",
        sendAgainText:
            "Type the address with which you have signed up. The link in the last mail is the one that works.",
        forgotPasswordText: "Type the address of your account. You get a link with which you set a new password.",
        confirmNewAddress:
            "Follow the link in the mail that was sent to the new address. Until then the old one stays.",
        otherWays: "Other ways to log in", connectedAccounts: "Connected accounts",
        connectedAccountsText: "With these you log in without your password.", disconnect: "Disconnect",
        connect: "Connect",
        connectInstead:
            "There is an account with this address already. If it is yours, log in to it and connect it on its page.",
        tryAgain: "Try again", account: "My account", setPassword: "Set a password",
        continueWithName: "Continue with %",
        continueAndStayWithName: "Continue with %, and stay logged in on this device",
        connectWithName: "Connect with %",
        connectQuestionName: "Do you want to log in to the account % with this from now on?",
        signUpWithName: "You come from %, and have no account here yet. Check what it says, and choose a username.",
        providerErrors: [
            .unknown: "There is no such way to log in here.",
            .notAvailable: "The service with which you log in does not answer. Try again in a moment.",
            .refused: "The service did not let you log in, or you have cancelled it.",
            .attemptNotValid: "This log-in has taken too long, or was begun in another browser. Begin again.",
            .notValid: "The answer of the service cannot be used. Try again, and tell the administrator if it goes on.",
        ],
        photo: "Photo", photoText: "Other members see it. The square in the middle is used.",
        choosePhoto: "Image, JPEG or PNG", usePhoto: "Use this photo", removePhoto: "Remove the photo",
        photoNotUsable: "This file cannot be used as a photo. Choose a JPEG or PNG image.",
        photoTooLarge: "This image is too large; photos are limited to 8 MB.",
        usePictureOfName: "Use the picture of %",
        noPicture: "There is no picture of you there that can be used as a photo."
    )

    static let spanish = AccountText(
        errors: [
            .missingFields: "rellene los campos marcados",
            .invalidUsername:
                "el nombre de usuario tiene de 2 a 32 letras latinas, cifras, puntos, guiones o guiones bajos",
            .invalidEmail: "la dirección de correo no es válida",
            .invalidPassword: "la contraseña es demasiado corta, demasiado larga o de las más usadas",
            .invalidField: "un campo no es válido",
            .usernameTaken: "ese nombre de usuario ya existe; elija otro",
            .emailTaken: "ya hay una cuenta con esa dirección de correo",
            .registrationClosed: "aquí no es posible registrarse",
            .invitationNeeded: "para registrarse necesita una invitación válida",
            .wrongCredentials: "el usuario o la contraseña no son correctos",
            .wrongCode: "el código no es correcto o ya se ha usado",
            .accountPending: "su cuenta todavía espera confirmación o aprobación",
            .accountSuspended: "su cuenta está suspendida; pregunte a un administrador",
            .linkNotValid: "el enlace o el código no vale, ya se ha usado o ha caducado",
            .notFound: "no se ha encontrado", .loginNeeded: "inicie sesión primero",
            .forbidden: "su cuenta no puede hacer esto", .passwordNeeded: "escriba su contraseña actual",
            .noPassword: "su cuenta no tiene contraseña", .tooManyAttempts: "demasiados intentos; espere un poco",
            .busy: "el servidor está ocupado; vuelva a intentarlo",
            .lastAdministrator: "es el único administrador; nombre antes a otro",
            .tooMany: "ya tiene el máximo permitido",
            .conflict: "ahora no es posible; vuelva a cargar la página y mire cómo está",
            .changedMeanwhile: "otra persona lo ha cambiado mientras tanto; mírelo y hágalo otra vez",
            .notAvailable: "este servidor no lo permite",
            .passkeyNotValid: "la llave de acceso no es válida",
            .invalidCursor: "esa página de la lista ya no existe; empiece por la primera",
        ],
        roles: [
            .viewer: "espectador", .member: "socio", .broadcaster: "emisor", .moderator: "moderador",
            .operator: "operador", .administrator: "administrador",
        ],
        states: [
            .active: "activa", .suspended: "suspendida", .awaitingApproval: "espera aprobación",
            .awaitingConfirmation: "no ha confirmado el correo",
        ], locale: "es_ES", logIn: "Iniciar sesión", logOut: "Cerrar sesión", signUp: "Registrarse",
        username: "Nombre de usuario", usernameOrEmail: "Nombre de usuario o correo", email: "Correo electrónico",
        password: "Contraseña", stayLoggedIn: "Mantener la sesión iniciada en este dispositivo",
        forgotPassword: "¿Ha olvidado la contraseña?", secondFactor: "Segundo factor", code: "Código",
        codeText: "Escriba el código de su aplicación de autenticación o uno de sus códigos de recuperación.",
        optional: "opcional", name: "Nombre", mobile: "Móvil", city: "Ciudad", country: "País",
        signUpClosed: "Aquí no es posible registrarse. Pida una cuenta a un administrador.",
        signUpByInvitation: "Para registrarse necesita una invitación. Pídasela a un administrador.",
        signUpByApproval: "Un administrador revisa cada cuenta nueva antes de que se pueda usar.",
        waitsForApproval: "Gracias. Un administrador revisará su cuenta; después podrá iniciar sesión.",
        waitsForConfirmation: "Gracias. Siga el enlace del correo que hemos enviado a su dirección.",
        setUp: "El primer administrador",
        setUpText: "Esta cuenta puede hacerlo todo en este servidor. El enlace funciona una sola vez.",
        createAccount: "Crear la cuenta", confirmEmail: "Confirmar el correo",
        emailConfirmed: "Su correo está confirmado. Ya puede iniciar sesión.",
        askForLink: "Pida a un administrador un enlace para poner una contraseña nueva.",
        newPassword: "Contraseña nueva", changePassword: "Cambiar la contraseña",
        passwordReset:
            "La contraseña ha cambiado. Se han cerrado todas las sesiones y han terminado las contraseñas de aplicación, los tokens, los dispositivos con copias sin conexión y los avisos en navegadores de su cuenta, y sus webhooks están desactivados; vuelva a configurar lo que aún use.",
        currentPassword: "Contraseña actual", changeEmail: "Cambiar el correo", role: "Papel", details: "Datos",
        access: "Correo y contraseña", save: "Guardar", saved: "Hecho.", sessions: "Dónde ha iniciado sesión",
        unknownDevice: "Dispositivo desconocido", thisOne: "este navegador",
        endOthers: "Cerrar todas las demás sesiones", revoke: "Terminar", tokens: "Programas",
        tokensText:
            "Una contraseña de aplicación es para un programa que pide usuario y contraseña. Un token de API es para guiones. Ninguno es su contraseña, y cada uno se puede terminar por separado.",
        appPassword: "Contraseña de aplicación", apiToken: "Token de API", lastUsed: "Último uso",
        tokenName: "¿Para qué programa?", kind: "Clase", mayPublish: "Puede emitir en los canales",
        makeToken: "Crear", shownOnce: "Cópielo ahora. No se vuelve a mostrar.",
        secondFactorText: "Con un segundo factor, para iniciar sesión hace falta además un código de su teléfono.",
        turnOn: "Activar", turnOff: "Desactivar",
        scanText: "Dé esta dirección a su aplicación de autenticación y escriba el código que muestra.",
        recoveryCodes: "Códigos de recuperación",
        recoveryCodesText:
            "Guárdelos donde los encuentre sin el teléfono. Cada uno vale una vez. No se vuelven a mostrar.",
        recoveryCodesLeft: "Códigos de recuperación que quedan", connectDevice: "Conectar un televisor",
        connectDeviceText: "Escriba el código que muestra el televisor.", deviceCode: "Código de la pantalla",
        goOn: "Continuar", isThisYours: "¿Es suyo este dispositivo? Iniciará sesión con su cuenta.",
        approve: "Aprobar", refuse: "Rechazar", deleteAccount: "Borrar la cuenta",
        deleteAccountText: "Su cuenta, sus sesiones y sus programas desaparecen en el acto.",
        export: "Descargar todos los datos de esta cuenta (ZIP)",
        exportFiles: "Lo mismo con los archivos de sus vídeos (ZIP, puede ocupar muchos gigabytes)",
        exportJSON: "Lo mismo para programas (JSON)",
        publicProfile: "Su perfil público", goBack: "Volver", users: "Cuentas",
        nobodyFound: "No hay ninguna cuenta así.", invite: "Invitar",
        inviteText: "Crea un enlace con el que alguien se registra. Vale una vez, durante una semana.",
        suspend: "Suspender", restore: "Restaurar", changeRole: "Cambiar el papel",
        passwordLink: "Enlace para otra contraseña",
        linkText: "Dé este enlace a la persona para la que es. Vale una vez y no se vuelve a mostrar.",
        lastLogIn: "Última sesión", suspensionDays: "Número de días; vacío para suspender sin límite",
        suspendedUntil: "su cuenta está suspendida hasta el {time}; pregunte a un administrador",
        language: "Idioma", browsersLanguage: "el del navegador",
        auditLog: "Registro de cambios", more: "Más", passkeys: "Llaves de acceso",
        passkeysText:
            "Con una llave de acceso inicia sesión con la huella, la cara o un PIN en vez de la contraseña. Para añadir una hace falta un navegador con JavaScript.",
        passkeyName: "Nombre del dispositivo", addPasskey: "Añadir una llave de acceso",
        usePasskey: "Entrar con una llave de acceso",
        passkeyFailed: "El navegador no tiene ninguna llave para este sitio, o se ha cancelado. Inténtelo otra vez.",
        qrCode: "Código QR para la aplicación de autenticación", search: "Buscar",
        searchUsers: "Nombre de usuario o correo", searchEvents: "Clase de cambio, como account.suspended",
        sendMail: "Enviar el correo",
        mailSent:
            "Si hay una cuenta que lo espera, un correo va de camino a esa dirección. Mire también en el correo no deseado.",
        sendAgain: "¿No ha llegado el correo?",
        sendAgainText: "Escriba la dirección con la que se registró. Vale el enlace del último correo.",
        forgotPasswordText:
            "Escriba la dirección de su cuenta. Recibirá un enlace para poner una contraseña nueva.",
        confirmNewAddress:
            "Siga el enlace del correo que hemos enviado a la dirección nueva. Hasta entonces vale la anterior.",
        otherWays: "Otras formas de entrar", connectedAccounts: "Cuentas conectadas",
        connectedAccountsText: "Con ellas entra sin su contraseña.", disconnect: "Desconectar", connect: "Conectar",
        connectInstead:
            "Ya hay una cuenta con esta dirección. Si es suya, entre en ella y conéctela en su página.",
        tryAgain: "Intentarlo otra vez", account: "Mi cuenta", setPassword: "Poner una contraseña",
        continueWithName: "Continuar con %",
        continueAndStayWithName: "Continuar con %, y mantener la sesión iniciada en este dispositivo",
        connectWithName: "Conectar con %",
        connectQuestionName: "¿Quiere entrar desde ahora en la cuenta % con esto?",
        signUpWithName:
            "Viene de % y aún no tiene cuenta aquí. Compruebe lo que dice y elija un nombre de usuario.",
        providerErrors: [
            .unknown: "Aquí no existe esa forma de entrar.",
            .notAvailable: "El servicio con el que entra no responde. Inténtelo dentro de un momento.",
            .refused: "El servicio no le ha dejado entrar, o usted lo ha cancelado.",
            .attemptNotValid: "Ha tardado demasiado o empezó en otro navegador. Empiece de nuevo.",
            .notValid: "La respuesta del servicio no sirve. Inténtelo otra vez y avise al administrador si se repite.",
        ],
        photo: "Foto", photoText: "La ven los demás miembros. Se usa el cuadrado del centro.",
        choosePhoto: "Imagen, JPEG o PNG", usePhoto: "Usar esta foto", removePhoto: "Quitar la foto",
        photoNotUsable: "Este archivo no sirve como foto. Elija una imagen JPEG o PNG.",
        photoTooLarge: "La imagen es demasiado grande; el límite son 8 MB.",
        usePictureOfName: "Usar la imagen de %",
        noPicture: "Allí no hay ninguna imagen suya que sirva como foto.")
}
