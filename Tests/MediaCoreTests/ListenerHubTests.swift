import Testing

@testable import MediaCore

struct ListenerHubTests {
    private static func hub(_ buffering: AsyncStream<Int>.Continuation.BufferingPolicy) -> ListenerHub<String, Int> {
        ListenerHub(maximumCount: 4, maximumCountPerGroup: 2, buffering: buffering)
    }

    private static func refusal(
        _ hub: inout ListenerHub<String, Int>, _ group: String
    ) -> ListenerHub<String, Int>.NoPlace? {
        do throws(ListenerHub<String, Int>.NoPlace) {
            _ = try hub.add(group)
            return nil
        } catch { return error }
    }

    @Test func placesAreLimitedInAllAndForEachGroup() throws {
        var hub = Self.hub(.bufferingNewest(1))
        let first = try hub.add("a")
        _ = try hub.add("a")
        let ofGroup = Self.refusal(&hub, "a")
        #expect(ofGroup == .groupFull)
        #expect(hub.count(of: "a") == 2 && hub.groups == ["a"])
        _ = try hub.add("a", isLimited: false)
        _ = try hub.add("b")
        let full = Self.refusal(&hub, "c")
        #expect(full == .full)
        let (removed, again) = (hub.remove(first.number), hub.remove(first.number))
        #expect(removed != nil && again == nil && hub.count == 3)
        let free = Self.refusal(&hub, "c")
        #expect(free == nil)
        let closed = hub.close()
        #expect(closed.count == 4 && hub.count == 0)
        let late = Self.refusal(&hub, "c")
        #expect(late == .closed)
    }

    @Test func oneThatDoesNotKeepUpIsRemovedUnlessItOnlyNeedsTheNewest() async throws {
        var hub = Self.hub(.bufferingOldest(1))
        let slow = try hub.add("a")
        var lost = hub.send(1)
        #expect(lost.isEmpty && hub.count == 1)
        for listener in hub.send(2) { listener.finish() }
        #expect(hub.count == 0 && hub.count(of: "a") == 0)
        var received: [Int] = []
        for await message in slow.messages { received.append(message) }
        #expect(received == [1])

        var newest = Self.hub(.bufferingNewest(1))
        let other = try newest.add("a")
        lost = newest.send(1) + newest.send(2)
        #expect(lost.isEmpty)
        newest.send(3, to: other.number)
        for listener in newest.close() { listener.finish() }
        received = []
        for await message in other.messages { received.append(message) }
        #expect(received == [3])
    }

    @Test func theLargestGroupMakesRoomForASmallerOne() throws {
        var hub = Self.hub(.bufferingNewest(1))
        let oldest = try hub.add("a")
        _ = try hub.add("a")
        let ofItself = hub.removeOldest(inFavourOf: "a")
        let ofTwo = hub.removeOldest(inFavourOf: "b")
        #expect(ofItself == nil && ofTwo != nil)
        let left = hub.remove(oldest.number)
        #expect(left == nil, "it was the one that had to leave")
        let ofOne = hub.removeOldest(inFavourOf: "b")
        #expect(ofOne == nil, "one more is not enough of a reason")
    }

    @Test func aPlaceThatWasHandedOverStaysTaken() throws {
        var hub = Self.hub(.bufferingNewest(1))
        let place = try hub.add("a")
        let (handedOver, again) = (hub.handOver(place.number), hub.handOver(place.number))
        #expect(handedOver?.group == "a" && again == nil && hub.count == 1 && hub.count(of: "a") == 1)
        hub.freePlace(of: "a")
        #expect(hub.count == 0 && hub.count(of: "a") == 0)
    }
}
