import Mail
import TestSupport
import Testing

@testable import Gateway
@testable import ServerSettings

struct MailSettingsTests {
    private static let flags: [ServerSetting: String] = [
        .smtp: "smtp://ana@mail.example.org", .mailFrom: "tv@example.org", .publicURL: "https://tv.example.org",
    ]

    @Test func mailIsOffByDefault() throws {
        #expect(try ServerConfiguration(flags: [:], environment: ["ANTENA_SMTP": ""]).mail == nil)
    }

    @Test func thePasswordComesFromTheEnvironmentOrAFile() throws {
        let variable = try ServerConfiguration(flags: Self.flags, environment: ["ANTENA_SMTP_PASSWORD": "geheim"])
        let mail = try #require(variable.mail)
        #expect(mail.description == "smtp://ana@mail.example.org:587 with STARTTLS, from tv@example.org")
        let credential = try #require(try mail.credential())
        #expect(credential == SMTPCredential(username: "ana", password: "geheim"))
        var dumped = ""
        dump(variable, to: &dumped)
        #expect(!dumped.contains("geheim"))
        let folder = try TemporaryDirectory(label: "mail")
        let file = try folder.write("geheim\n", to: "password")
        let environment = [
            "ANTENA_SMTP": "smtp://ana@mail.example.org", "ANTENA_MAIL_FROM": "tv@example.org",
            "ANTENA_PUBLIC_URL": "https://tv.example.org", "ANTENA_SMTP_PASSWORD_FILE": file,
        ]
        let other = try #require(try ServerConfiguration(flags: [:], environment: environment).mail)
        #expect(try other.credential() == credential)
    }

    @Test func aServerWithoutPasswordIsFine() throws {
        var flags = Self.flags
        flags[.smtp] = "smtp://localhost"
        let mail = try #require(try ServerConfiguration(flags: flags, environment: [:]).mail)
        #expect(mail.description == "smtp://localhost:25 with no encryption, from tv@example.org")
        #expect(try mail.credential() == nil)
    }

    @Test(
        arguments: [
            ([.smtp: nil], [:], "--mail-from \"tv@example.org\": also needs --smtp"),
            ([.publicURL: nil], [:], "--smtp \"smtp://ana@mail.example.org:587\": also needs --public-url"),
            ([.mailFrom: nil], [:], "--smtp \"smtp://ana@mail.example.org:587\": also needs --mail-from"),
            ([.mailFrom: "x"], [:], "--mail-from \"x\": is not a mail address"),
            ([:], [:], "--smtp \"smtp://ana@mail.example.org:587\": needs the password"),
            ([.smtp: "smtp://ana:geheim@mail.example.org"], [:], "--smtp \"…\": the password does not belong here"),
            ([.smtp: "mail.example.org"], [:], "--smtp \"…\": must be the address of a mail server"),
            (
                [.smtp: "smtp://mail"], ["ANTENA_SMTP_PASSWORD": "geheim"],
                "ANTENA_SMTP_PASSWORD \"…\": needs a username"
            ),
            (
                [.smtpPasswordFile: "f"], ["ANTENA_SMTP_PASSWORD": "geheim"],
                "--smtp-password-file \"f\": cannot be combined with ANTENA_SMTP_PASSWORD"
            ),
            ([:], ["ANTENA_SMTP_PASSWORD": "ge\nheim"], "ANTENA_SMTP_PASSWORD \"…\": must be a text"),
        ] as [([ServerSetting: String?], [String: String], String)])
    func settingsThatDoNotFitAreRefused(
        _ changes: [ServerSetting: String?], _ environment: [String: String], _ text: String
    ) {
        var flags = Self.flags
        for (setting, value) in changes { flags[setting] = value }
        #expect {
            _ = try ServerConfiguration(flags: flags, environment: environment)
        } throws: { error in
            "\(error)".hasPrefix(text) && !"\(error)".contains("geheim")
        }
    }

    @Test(arguments: ["", "\n", "a\nb", String(repeating: "x", count: 5_000)])
    func aFileWithoutAPasswordIsReported(_ content: String) throws {
        let folder = try TemporaryDirectory(label: "mail")
        var flags = Self.flags
        flags[.smtpPasswordFile] = try folder.write(content, to: "password")
        let mail = try #require(try ServerConfiguration(flags: flags, environment: [:]).mail)
        #expect(throws: SettingError.self) { try mail.credential() }
        flags[.smtpPasswordFile] = "\(folder.path)/other"
        let missing = try #require(try ServerConfiguration(flags: flags, environment: [:]).mail)
        #expect(throws: SettingError.self) { try missing.credential() }
    }
}
