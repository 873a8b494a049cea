/// The closure that gets an object's bytes threw an error, which ends the call and is thrown to its caller.
struct ConsumerFailure: Error {
    var error: any Error
}
