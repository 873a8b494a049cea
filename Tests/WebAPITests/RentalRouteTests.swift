import Features
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import MediaCore
import NIOPosix
import Synchronization
import Testing

@testable import HLSDelivery

/// The router's routes below `/vod`, beside the media that the delivery serves.
struct RentalRouteTests {
    /// Nobody has rented anything.
    private struct NobodyHasRented: ViewingAuthority {
        func isForEveryone(_ subject: MediaSubject) -> Bool { false }
        func isConcealed(_ subject: MediaSubject) -> Bool { false }
        func decideNow(_ request: ViewingRequest) -> ViewingDecision? { nil }
        func decide(_ request: ViewingRequest) async -> ViewingDecision { .rentalMissing(.needed) }
    }

    /// The routes for everyone who may see the title at all.
    private static let withoutRental: Set<String> = ["/vod/{id}/poster.jpg"]

    /// A new route either asks whether the title is rented, or is named above.
    @Test func everyRouteBelowVODAsksForARental() async throws {
        let content = InMemoryContent()
        content.state.withLock { $0.titles = [InMemoryContent.title("one")] }
        let delivery = MediaDelivery(
            channels: RadioPublisher().directory, titles: FakeTitles(), threadPool: .singleton,
            viewing: NobodyHasRented())
        let table = EndpointTable.serving(content) { $0.delivery = delivery }
        let routes = table.endpoints.filter { $0.path.hasPrefix("/vod/") && !Self.withoutRental.contains($0.path) }
        #expect(routes.count > 1)
        try await Application(router: table.router()).test(.router) { client in
            for route in routes {
                let path = route.path.replacing("{id}", with: "one")
                #expect(!path.contains("{"), "the test does not know the parameter of \(route.path)")
                let response = try await client.execute(uri: path, method: route.method)
                #expect(response.status.code == 402, "\(route.method) \(route.path)")
            }
        }
        #expect(Self.withoutRental.isSubset(of: table.endpoints.map(\.path)))
    }
}
