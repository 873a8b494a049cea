import MediaCore
import NIOCore
import Testing

@testable import Gateway

struct HTTPConnectionPlacesTests {
    private static func group(_ address: String) throws -> AddressGroup {
        AddressGroup(try SocketAddress(ipAddress: address, port: 0))
    }

    @Test func theReserveBeginsBeyondTheLimits() throws {
        let (school, other) = (try Self.group("192.0.2.1"), try Self.group("192.0.2.2"))
        var places = HTTPConnectionPlaces(.init(connectionCount: 3, connectionCountPerAddress: 2, reservedCount: 2))
        #expect(places.admit(0, from: school) == .ordinary)
        #expect(places.admit(1, from: school) == .ordinary)
        #expect(places.admit(2, from: school) == .reserved(leaving: nil), "an operator may be in the school")
        #expect(places.admit(3, from: other) == .ordinary)
        #expect(places.admit(4, from: other) == .reserved(leaving: nil))
        #expect(places.count == 5)
        places.removeReserved(2)
        places.removeOrdinary(from: school)
        #expect(places.count == 3)
        #expect(places.admit(5, from: school) == .ordinary)
    }

    @Test func theOldestUnprovenConnectionMakesRoom() throws {
        var places = HTTPConnectionPlaces(.init(connectionCount: 0, reservedCount: 3))
        for number in 0..<3 {
            #expect(places.admit(number, from: try Self.group("192.0.2.\(number)")) == .reserved(leaving: nil))
        }
        places.prove(0)
        #expect(!places.isUnproven(0) && places.isUnproven(1))
        #expect(places.admit(3, from: try Self.group("192.0.2.3")) == .reserved(leaving: 1))
        #expect(places.admit(4, from: try Self.group("192.0.2.4")) == .reserved(leaving: 2))
        places.prove(3)
        places.prove(4)
        #expect(places.admit(5, from: try Self.group("192.0.2.5")) == .refused(.tooManyConnections))
        #expect(places.count == 3)
        // One that has left cannot be kept any more.
        places.prove(1)
        places.removeReserved(1)
        #expect(places.count == 3)
    }

    @Test func oneAddressDoesNotTakeTheReserve() throws {
        let stranger = try Self.group("2001:db8::1")
        var places = HTTPConnectionPlaces(.init(connectionCount: 0, reservedCount: 10, unprovenCountPerAddress: 2))
        #expect(places.admit(0, from: stranger) == .reserved(leaving: nil))
        #expect(places.admit(1, from: stranger) == .reserved(leaving: nil))
        #expect(places.admit(2, from: stranger) == .refused(.tooManyConnections))
        #expect(places.admit(3, from: try Self.group("2001:db8:0:1::1")) == .reserved(leaving: nil))
        places.prove(0)
        #expect(places.admit(4, from: stranger) == .reserved(leaving: nil), "proven ones do not count")
    }

    @Test func thisMachineComesBeforeStrangers() throws {
        let local = try Self.group("127.0.0.1")
        var places = HTTPConnectionPlaces(.init(connectionCount: 0, reservedCount: 2))
        #expect(places.admit(0, from: local) == .reserved(leaving: nil))
        #expect(places.admit(1, from: try Self.group("192.0.2.1")) == .reserved(leaving: nil))
        #expect(places.admit(2, from: try Self.group("192.0.2.2")) == .reserved(leaving: 1), "not the local one")
        #expect(places.admit(3, from: local) == .reserved(leaving: 2))
        #expect(places.admit(4, from: try Self.group("192.0.2.3")) == .refused(.tooManyConnections))
        #expect(places.admit(5, from: local) == .reserved(leaving: 0))
    }

    @Test(arguments: [(1_024, 816), (65_536, 52_428), (1_048_576, 52_428)])
    func openFilesLimitTheConnections(openFiles: Int, connections: Int) {
        #expect(HTTPConnectionPlaces.Limits(openFileLimit: openFiles).connectionCount == connections)
    }
}
