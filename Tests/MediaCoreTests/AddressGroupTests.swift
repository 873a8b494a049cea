import MediaCore
import NIOCore
import Testing

struct AddressGroupTests {
    private func group(_ address: String, port: Int = 1) throws -> AddressGroup {
        AddressGroup(try SocketAddress(ipAddress: address, port: port))
    }

    @Test func anIPv4AddressIsAGroupOfItsOwnWhateverItsPort() throws {
        #expect(try group("192.0.2.7", port: 1) == group("192.0.2.7", port: 65_535))
        #expect(try group("192.0.2.7") != group("192.0.2.8"))
        #expect(try group("192.0.2.7").description == "192.0.2.7")
    }

    @Test func anIPv6SubscriberIsOneGroup() throws {
        #expect(try group("2001:db8:0:17::1") == group("2001:db8:0:17:ffff:ffff:ffff:ffff"))
        #expect(try group("2001:db8:0:17::1") != group("2001:db8:0:18::1"))
        #expect(try group("2001:db8:0:17::1").description == "2001:db8:0:17::/64")
        #expect(try group("::1") != group("::ffff:127.0.0.1"))
    }

    @Test func anIPv4AddressInIPv6IsThatIPv4Address() throws {
        #expect(try group("::ffff:192.0.2.7") == group("192.0.2.7"))
        #expect(try group("::ffff:192.0.2.7") != group("::ffff:192.0.2.8"))
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("::ffff:127.0.0.1", true), ("128.0.0.1", false),
        ("2001:db8::1", false),
    ])
    func thisMachineIsRecognized(address: String, isLoopback: Bool) throws {
        #expect(try group(address).isLoopback == isLoopback)
    }

    @Test func peersWithoutAnAddressAreOneGroup() throws {
        let socket = AddressGroup(try SocketAddress(unixDomainSocketPath: "/tmp/x"))
        #expect(socket == AddressGroup(nil) && socket.description == "local")
        #expect(try socket != group("0.0.0.0"))
    }
}
