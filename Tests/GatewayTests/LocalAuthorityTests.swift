import Testing

@testable import Gateway

struct LocalAuthorityTests {
    @Test(
        arguments: [
            (nil, true), ("", true), ("localhost", true), ("LOCALHOST:8080", true), ("antena.localhost", true),
            ("127.0.0.1:8080", true), ("192.168.1.5", true), ("[::1]:8080", true), ("[::1]", true), ("studio:80", true),
            ("studio.school.example", true), ("Studio.School.Example:8080", true),
            // Names that somebody else decides on.
            ("rebound.example:8080", false), ("localhost.example", false), ("127.0.0.1.example", false),
            ("school.example", false), ("studio.example", false), ("x", false), ("[::1", true),
            ("[studio.evil]", false),
            ("127.1", false), ("2130706433", false), (":8080", false), ("127.0.0.1@rebound.example", false),
        ] as [(String?, Bool)])
    func tellsThisMachinesNamesFromOthers(_ authority: String?, _ isLocal: Bool) {
        #expect(LocalAuthority.isLocal(authority, machineName: "studio.school.example") == isLocal)
        #expect(!LocalAuthority.isLocal("rebound.example", machineName: ""))
    }
}
