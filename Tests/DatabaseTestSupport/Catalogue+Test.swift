package import Catalogue
package import Database

extension Catalogue {
    /// Opens the catalogue in a place for tests.
    package static func open(_ place: TestDatabase) throws -> Catalogue { try open(place.address) }

    /// Opens the catalogue at an address, such as a file that another catalogue of the test has left.
    package static func open(_ address: DatabaseAddress) throws -> Catalogue {
        try waiting { try await Catalogue.open(try await address.open(), program: "test") }
    }
}
