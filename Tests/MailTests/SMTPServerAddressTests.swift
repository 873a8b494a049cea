import Testing

@testable import Mail

struct SMTPServerAddressTests {
    @Test(
        arguments: [
            ("smtp://mail.example.org", "smtp://mail.example.org:587", SMTPServerAddress.Security.startTLS),
            ("smtp://ana@mail.example.org:2525", "smtp://ana@mail.example.org:2525", .startTLS),
            (
                "smtps://ana%40example.org@mail.example.org/", "smtps://ana@example.org@mail.example.org:465",
                .implicitTLS
            ),
            ("SMTP://localhost", "smtp://localhost:25", .none),
            ("smtp://127.0.0.1:1025", "smtp://127.0.0.1:1025", .none),
            ("smtp://[::1]", "smtp://[::1]:25", .none), ("smtp://[2001:db8::1]", "smtp://[2001:db8::1]:587", .startTLS),
            ("smtp://localhost?tls=on", "smtp://localhost:25", .startTLS),
            ("smtp://mail:25?tls=off", "smtp://mail:25", .none),
        ])
    func addressesAreRead(_ text: String, _ description: String, _ security: SMTPServerAddress.Security) throws {
        let address = try SMTPServerAddress(parsing: text)
        #expect(address.description == description)
        #expect(address.security == security)
    }

    @Test func certificatesAndNamesAreKnown() throws {
        let address = try SMTPServerAddress(parsing: "smtps://mail.lan?certificates=/etc/ssl/lan%20ca.pem")
        #expect(address.certificatesPath == "/etc/ssl/lan ca.pem" && address.certificateName == "mail.lan")
        #expect(try SMTPServerAddress(parsing: "smtps://192.0.2.1").certificateName == nil)
    }

    @Test(
        arguments: [
            "", "mail.example.org", "http://mail.example.org", "smtp://", "smtp://:25", "smtp://mail/path",
            "smtp://mail#x",
            "smtp://ana:secret@mail.example.org", "smtp://ana@mail?tls=off", "smtps://mail?tls=off",
            "smtp://mail?tls=maybe",
            "smtp://mail?other=1", "smtp://mail:0", "smtp://mail:65536", "smtp://ma il",
        ])
    func otherAddressesAreRefusedWithoutThePassword(_ text: String) {
        #expect { try SMTPServerAddress(parsing: text) } throws: { error in
            error is MailFormatError && !"\(error)".contains("secret")
        }
    }

    @Test func credentialsAreShownByNobody() throws {
        let credential = try #require(SMTPCredential(username: "ana", password: "geheim"))
        for text in [
            "\(credential)", String(reflecting: credential), "\(Mirror(reflecting: credential).children.count)",
        ] {
            #expect(!text.contains("geheim") && !text.contains("ana"))
        }
        var dumped = ""
        dump(credential, to: &dumped)
        #expect(!dumped.contains("geheim"))
        #expect(SMTPCredential(username: "ana", password: "a\nb") == nil)
        #expect(SMTPCredential(username: "", password: "b") == nil)
        #expect(SMTPCredential(username: "ana", password: String(repeating: "x", count: 1_001)) == nil)
    }
}
