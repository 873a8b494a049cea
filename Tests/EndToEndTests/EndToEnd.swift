import Testing

/// Tests of the built program with real clients. They run one after the other, because each keeps two cores busy.
@Suite(.serialized, .timeLimit(.minutes(5))) enum EndToEnd {}
