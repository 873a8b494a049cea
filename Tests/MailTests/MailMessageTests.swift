import Foundation
import MediaCore
import TestSupport
import Testing

@testable import Mail

struct MailMessageTests {
    /// RFC 8058 §3.1
    @Test func aMailNamesTheAddressThatEndsItsKind() throws {
        func message(_ address: String?) throws -> MailMessage {
            try MailMessage(
                from: MailAddress("tv@example.org"), to: MailAddress("ana@example.org"), subject: "News", text: "x\n",
                language: "en", unsubscribeAddress: address)
        }
        func text(_ message: MailMessage) -> String {
            String(decoding: message.rendered(at: .unixEpoch, id: MessageID(domain: "example.org")), as: UTF8.self)
        }
        let rendered = text(try message("https://tv.example.org/x?user=1&code=2"))
        #expect(rendered.contains("\r\nList-Unsubscribe: <https://tv.example.org/x?user=1&code=2>\r\n"))
        #expect(rendered.contains("\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"))
        #expect(!text(try message(nil)).contains("List-Unsubscribe"))
        for wrong in ["https://x\r\nBcc: a@b", "https://x/>", "https://x y", String(repeating: "x", count: 901)] {
            #expect(throws: MailFormatError.self) { try message(wrong) }
        }
    }

    private static let id = MessageID(domain: "example.org")

    private func message(
        _ text: String = "Hello", subject: String = "Hello", senderName: String = ""
    ) throws -> MailMessage {
        return try MailMessage(
            from: MailAddress("tv@example.org"), senderName: senderName, to: MailAddress("ana@example.org"),
            subject: subject, text: text, language: "en")
    }

    private func rendered(_ message: MailMessage) -> String {
        String(decoding: message.rendered(at: TestClock.start, id: Self.id), as: UTF8.self)
    }

    @Test func aPlainMailIsAsRFC5322Shows() throws {
        let expected = """
            From: Tele Centro <tv@example.org>
            To: ana@example.org
            Subject: Hello
            Date: Thu, 01 Jan 2026 00:00:00 +0000
            Message-ID: \(Self.id.text)
            MIME-Version: 1.0
            Content-Type: text/plain; charset=utf-8
            Content-Transfer-Encoding: quoted-printable
            Content-Language: en
            Auto-Submitted: auto-generated

            Open this:

            https://tv.example.org/?link=3Dx

            """
        let mail = try message("Open this:\n\nhttps://tv.example.org/?link=x\n", senderName: "Tele Centro")
        #expect(rendered(mail) == expected.replacing("\n", with: "\r\n"))
    }

    /// RFC 2046 §5.1: a text and a file, in base64 with lines of 76 characters at most.
    @Test func aFileGoesWithTheText() throws {
        let file = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let mail = try MailMessage(
            from: MailAddress("tv@example.org"), to: MailAddress("ana@example.org"), subject: "Resultados: Núñez",
            text: "Aquí están los resultados de hoy, en un archivo.\n", language: "es",
            attachment: MailAttachment(name: "results.pdf", mediaType: "application/pdf", bytes: file))
        let text = rendered(mail)
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
        #expect(text.components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 76 })
        #expect(!text.replacing("\r\n", with: "").contains { $0.isNewline })
        let header = text.components(separatedBy: "\r\n\r\n")[0]
        let boundary = try #require(header.firstMatch(of: /multipart\/mixed; boundary="(=_[^"]+)"/)?.1)
        #expect(header.contains("\r\nContent-Language: es") && !header.contains("Content-Transfer-Encoding"))
        let parts = text.components(separatedBy: "--\(boundary)")
        try #require(parts.count == 4 && parts[3] == "--\r\n")
        #expect(parts[1].contains("Content-Type: text/plain; charset=utf-8\r\n") && parts[1].contains("Aqu=C3=AD"))
        let pieces = parts[2].components(separatedBy: "\r\n\r\n")
        #expect(pieces[0].contains("Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n"))
        #expect(pieces[0].hasSuffix("Content-Disposition: attachment; filename=\"results.pdf\""))
        #expect(Data(base64Encoded: pieces[1].replacing("\r\n", with: "")).map(Array.init) == file)
    }

    @Test(arguments: [
        ("a\"b.pdf", "application/pdf"), ("a\r\nX: y", "application/pdf"), ("", "application/pdf"),
        (".pdf", "application/pdf"), ("../a.pdf", "application/pdf"), ("a.pdf", "application"),
        ("a.pdf", "text/html; charset=x"), ("a.pdf", "text/\r\nBcc: a@b"),
    ])
    func whatIsNoNameOrTypeOfAFileIsRefused(_ name: String, _ type: String) {
        #expect(throws: MailFormatError.self) { try MailAttachment(name: name, mediaType: type, bytes: []) }
    }

    @Test func aFileIsLimited() {
        let bytes = [UInt8](repeating: 0, count: MailAttachment.maximumByteCount + 1)
        #expect(throws: MailFormatError.self) {
            try MailAttachment(name: "a.pdf", mediaType: "application/pdf", bytes: bytes)
        }
    }

    /// A line break in a header would begin another header, or the body.
    @Test(arguments: ["\r\nBcc: x@example.org", "\nX: y", "\r", "a\u{0}b", "\u{85}x", "\u{2028}x", "\u{1B}[2J"])
    func controlCharactersInHeadersAreRefused(_ text: String) throws {
        #expect(throws: MailFormatError.self) { try message(subject: "Hello\(text)") }
        #expect(throws: MailFormatError.self) { try message(senderName: "Antena\(text)") }
        #expect(throws: MailFormatError.self) { try MailAddress("ana\(text)@example.org") }
        #expect(throws: MailFormatError.self) { try MailAddress("ana@example.org\(text)") }
        if !text.hasPrefix("\n") {
            #expect(throws: MailFormatError.self) { try message("Hello\(text)") }
        }
    }

    @Test func whatIsTooLongIsRefused() {
        #expect(throws: MailFormatError.self) { try message(subject: String(repeating: "x", count: 501)) }
        #expect(throws: MailFormatError.self) { try message(String(repeating: "x", count: 65_537)) }
        #expect(throws: MailFormatError.self) { try message(subject: "") }
    }

    @Test(
        arguments: [
            "Contraseña nueva", "añadir =?utf-8?Q?x?= más", "=?utf-8?B?eA==?=", String(repeating: "ñandú ", count: 40),
            "👩‍👩‍👧‍👦 familia", String(repeating: "x", count: 400), "日本語のとても長い件名です。これは一行に収まりません。これは一行に収まりません。",
        ])
    func headersComeBackAsTheyWere(_ text: String) throws {
        let mail = rendered(try message(subject: text, senderName: text))
        let head = try #require(mail.range(of: "\r\n\r\n").map { mail[..<$0.lowerBound] })
        #expect(head.utf8.allSatisfy { $0 < 0x80 })
        for line in head.components(separatedBy: "\r\n") {
            #expect(line.utf8.count <= 78, "\(line)")
        }
        let unfolded = head.replacing("\r\n ", with: " ")
        let subject = try #require(unfolded.firstMatch(of: /Subject: ([^\r]*)/)).1
        #expect(decoded(subject) == text)
        let name = try #require(unfolded.firstMatch(of: /From: ([^\r]*) <tv@example.org>/)).1
        #expect(decoded(name) == text)
    }

    @Test func aNameWithPunctuationIsQuoted() throws {
        #expect(
            rendered(try message(senderName: #"TV "Uno", S.A. \ x"#)).hasPrefix(
                #"From: "TV \"Uno\", S.A. \\ x" <tv@example.org>"#))
    }

    /// RFC 2047: each word stands for whole characters.
    private func decoded(_ value: Substring) -> String {
        value.split(separator: " ").reduce(into: "") { result, word in
            guard let match = word.wholeMatch(of: /=\?utf-8\?B\?([A-Za-z0-9+\/=]*)\?=/) else {
                result += (result.isEmpty ? "" : " ") + word
                return
            }
            result += Data(base64Encoded: String(match.1)).flatMap { String(bytes: $0, encoding: .utf8) } ?? "�"
        }
    }

    @Test(
        arguments: [
            "ñ = x\n", "ends in a space \nand a tab\t\n", String(repeating: "á", count: 200) + "\n", ".\n..\n. x\n",
            String(repeating: "a", count: 76) + "\n" + String(repeating: "b", count: 77) + "\n", "From here\n", "\n\n",
            "日本語の長い文章。日本語の長い文章。日本語の長い文章。\n", "",
        ])
    func bodiesComeBackAsTheyWere(_ text: String) throws {
        let quoted = String(decoding: MailBody.quotedPrintable(text), as: UTF8.self)
        let base64 = String(decoding: MailBody.base64(text), as: UTF8.self)
        for line in (quoted + base64).components(separatedBy: "\r\n") {
            #expect(line.utf8.count <= 76 && line.utf8.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 9 })
            #expect(line.last != " " && line.last != "\t")
        }
        #expect(unquoted(quoted) == text)
        let data = try #require(Data(base64Encoded: base64.replacing("\r\n", with: "")))
        #expect(String(decoding: data, as: UTF8.self).replacing("\r\n", with: "\n") == text)
        let body = MailBody(text)
        #expect(body.bytes.count == min(quoted.utf8.count, base64.utf8.count))
        #expect(body.encoding == (base64.utf8.count < quoted.utf8.count ? "base64" : "quoted-printable"))
    }

    private func unquoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.replacing("=\r\n", with: "").replacing("\r\n", with: "\n").utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "=") else {
                bytes.append(byte)
                continue
            }
            bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// RFC 5321 §4.5.2: no line of the mail ends it.
    @Test func fullStopsAreDoubled() throws {
        let address = try MailAddress("ana@example.org")
        func transmitted(_ text: String) -> String {
            String(
                decoding: OutgoingMail(from: address, to: address, bytes: Array(text.utf8)).transmittedBytes,
                as: UTF8.self)
        }
        #expect(transmitted("a\r\n.\r\n.b\r\nc.\r\n") == "a\r\n..\r\n..b\r\nc.\r\n.\r\n")
        #expect(transmitted(".") == "..\r\n.\r\n")
        #expect(transmitted("") == ".\r\n")
    }

    @Test(arguments: [
        (Int64(0), "Thu, 01 Jan 1970 00:00:00 +0000"), (951_782_400_000, "Tue, 29 Feb 2000 00:00:00 +0000"),
        (1_767_225_599_999, "Wed, 31 Dec 2025 23:59:59 +0000"), (-1, "Wed, 31 Dec 1969 23:59:59 +0000"),
    ])
    func datesAreInUTC(_ time: Int64, _ text: String) {
        #expect(MailHeader.date(WallClockTime(millisecondsSince1970: time)) == text)
    }

    @Test(arguments: [
        "a@b", "a.b+c@example.org", "ñandú@correo.example", "x@xn--d1acufc.example", "o'neil@example.org",
    ])
    func addressesAreAccepted(_ text: String) throws {
        let address = try MailAddress(text)
        #expect(address.text == text)
        #expect(address.needsUTF8 == text.contains("ñ"))
    }

    @Test(arguments: [
        "", "a", "@b", "a@", "a b@c", "a@b c", "<a@b>", "a@b>", "a@b> SIZE=1", ".a@b", "a..b@c", "a@-b", "a@b-",
        "a@b..c",
        "a,b@c", "a\u{200B}@b", "a\u{202E}@b", "\"a b\"@c", "a@[127.0.0.1]", "a@" + String(repeating: "b", count: 64),
        String(repeating: "a", count: 65) + "@b", "a@" + String(repeating: "b.", count: 130) + "c",
    ])
    func otherAddressesAreRefusedWithoutRepeatingThem(_ text: String) {
        #expect { try MailAddress(text) } throws: { error in text.isEmpty || text == "a" || !"\(error)".contains(text) }
    }
}
