import MediaCore
import TestSupport
import Testing

@testable import Accounts

struct TimeBasedCodeTests {
    /// RFC 6238, appendix B, SHA-1; the last six of its eight digits.
    @Test(
        arguments: [
            (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
            (2_000_000_000, "279037"), (20_000_000_000, "353130"),
        ]) func codesAreThoseOfTheSpecification(_ seconds: Int64, _ expected: String)
    {
        let code = TimeBasedCode(key: Array("12345678901234567890".utf8))
        let time = WallClockTime(secondsSince1970: seconds)
        #expect(code.code(TimeBasedCode.step(at: time)) == expected)
        #expect(code.step(of: expected, at: time) == TimeBasedCode.step(at: time))
    }

    @Test func clocksMayBeHalfAMinuteWrong() {
        let code = TimeBasedCode()
        let time = TestClock.start
        let step = TimeBasedCode.step(at: time)
        for offset in Int64(-3)...3 {
            #expect(code.step(of: code.code(step + offset), at: time) == (abs(offset) <= 1 ? step + offset : nil))
        }
        #expect(code.step(of: "\(code.code(step).prefix(3)) \(code.code(step).suffix(3))", at: time) == step)
        for wrong in ["", "12345", "1234567", "12345a", "１２３４５６", String(repeating: "1", count: 10_000)] {
            #expect(code.step(of: wrong, at: time) == nil)
        }
    }

    /// RFC 4648 §10, and the key of RFC 6238.
    @Test func theKeyIsShownInBase32() {
        let cases = [("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foobar", "MZXW6YTBOI")]
        for (text, expected) in cases { #expect(TimeBasedCode(key: Array(text.utf8)).base32 == expected) }
        let code = TimeBasedCode(key: Array("12345678901234567890".utf8))
        #expect(
            code.uri(issuer: "Antena TV", username: "José&x")
                == "otpauth://totp/Antena%20TV:Jos%C3%A9%26x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
                + "&issuer=Antena%20TV&algorithm=SHA1&digits=6&period=30")
    }
}
