const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["client-ProfilePage-430f5210.js","client-libraries-df66e8dc.js","client-Link-7ee8c216.js","client-useReadAgain-c88a0175.js","client-PersonRow-bab033c6.js","client-LiveList-de462fb4.js","client-time-caa2070d.js","client-pages-eee6df26.js","client-PeopleList-3f1bfb8a.js","client-SearchPage-6fa716c5.js","client-LivePage-fb1795be.js","client-changes-c75df222.js","client-LiveNow-9a39f4af.js","client-SettingsPage-767b4700.js"])))=>i.map(i=>d[i]);
import{a as e,i as t,n,r,t as i}from"./client-libraries-df66e8dc.js";import{A as a,D as o,E as s,M as c,N as l,O as u,S as d,T as f,_ as p,a as m,d as h,g,h as _,i as v,k as y,l as b,m as x,n as S,p as C,r as ee,t as w,v as T,w as te}from"./client-Link-7ee8c216.js";var E=e(),ne=t(),D=n(),O=r(),re=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`since`}],t=[{kind:`Variable`,name:`since`,variableName:`since`}],n={alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`postId`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`sortKey`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`syncToken`,storageKey:null},d={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},f={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},p={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},m={alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},h={alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},g={alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`newsHomeChangesSubscription`,selections:[{alias:null,args:t,concreteType:`HomeChangePage`,kind:`LinkedField`,name:`homeChanges`,plural:!1,selections:[{alias:null,args:null,concreteType:`HomeChange`,kind:`LinkedField`,name:`changes`,plural:!0,selections:[n,r,{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edge`,plural:!1,selections:[i,a,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[o,s,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[c,l],storageKey:null},{args:null,kind:`FragmentSpread`,name:`PostCard_post`}],storageKey:null}],storageKey:null}],storageKey:null},u],storageKey:null}],type:`Subscription`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`newsHomeChangesSubscription`,selections:[{alias:null,args:t,concreteType:`HomeChangePage`,kind:`LinkedField`,name:`homeChanges`,plural:!1,selections:[{alias:null,args:null,concreteType:`HomeChange`,kind:`LinkedField`,name:`changes`,plural:!0,selections:[n,r,{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edge`,plural:!1,selections:[i,a,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[o,s,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[c,l,o,d,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},n,f,p,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[o,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[d,l,o],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[o,f,p,s,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[c,d,l,o],storageKey:null},m,h,g],storageKey:null},m,h,g],storageKey:null}],storageKey:null}],storageKey:null},u],storageKey:null}]},params:{cacheID:`79c2f6de73987e6cd946a550ae4f8482`,id:null,metadata:{},name:`newsHomeChangesSubscription`,operationKind:`subscription`,text:`subscription newsHomeChangesSubscription(
  $since: String!
) {
  homeChanges(since: $since) {
    changes {
      kind
      postId
      edge {
        cursor
        sortKey
        node {
          id
          publishedAt
          author {
            databaseId
            name
            id
          }
          ...PostCard_post
        }
      }
    }
    syncToken
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
    ...PostActions_post
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
  }
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})(),ie=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`since`}],t=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:[{kind:`Literal`,name:`first`,value:0}],concreteType:`FeedConnection`,kind:`LinkedField`,name:`homeFeed`,plural:!1,selections:[{alias:null,args:[{kind:`Variable`,name:`since`,variableName:`since`}],kind:`ScalarField`,name:`newCount`,storageKey:null}],storageKey:`homeFeed(first:0)`}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`newsCountQuery`,selections:t,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`newsCountQuery`,selections:t},params:{cacheID:`0954bfc113187bf34c3c449b98d24d4d`,id:null,metadata:{},name:`newsCountQuery`,operationKind:`query`,text:`query newsCountQuery(
  $since: String!
) {
  viewer {
    homeFeed(first: 0) {
      newCount(since: $since)
    }
  }
}
`}}})(),ae=(function(){var e=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:[{kind:`Literal`,name:`first`,value:0}],concreteType:`FeedConnection`,kind:`LinkedField`,name:`homeFeed`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`syncToken`,storageKey:null}],storageKey:`homeFeed(first:0)`}],storageKey:null}];return{fragment:{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`newsTokenQuery`,selections:e,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[],kind:`Operation`,name:`newsTokenQuery`,selections:e},params:{cacheID:`d7dd6cf72d82688cfe8dcb09c785db29`,id:null,metadata:{},name:`newsTokenQuery`,operationKind:`query`,text:`query newsTokenQuery {
  viewer {
    homeFeed(first: 0) {
      syncToken
    }
  }
}
`}}})(),oe=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`likePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsLikeMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsLikeMutation`,selections:t},params:{cacheID:`5f5c16897aa502258d9192176fa5470e`,id:null,metadata:{},name:`PostMutationsLikeMutation`,operationKind:`mutation`,text:`mutation PostMutationsLikeMutation(
  $input: PostIdInput!
) {
  payload: likePost(input: $input) {
    post {
      id
      viewerHasLiked
      counters {
        likes
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),se=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`unlikePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsUnlikeMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsUnlikeMutation`,selections:t},params:{cacheID:`a451dbb9d5cac0527fe1a56f120c37ed`,id:null,metadata:{},name:`PostMutationsUnlikeMutation`,operationKind:`mutation`,text:`mutation PostMutationsUnlikeMutation(
  $input: PostIdInput!
) {
  payload: unlikePost(input: $input) {
    post {
      id
      viewerHasLiked
      counters {
        likes
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),ce=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`favoritePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsFavoriteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsFavoriteMutation`,selections:t},params:{cacheID:`cf604bd18f55b96dd44381b269b047b1`,id:null,metadata:{},name:`PostMutationsFavoriteMutation`,operationKind:`mutation`,text:`mutation PostMutationsFavoriteMutation(
  $input: PostIdInput!
) {
  payload: favoritePost(input: $input) {
    post {
      id
      viewerHasFavorited
      counters {
        favorites
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),le=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`unfavoritePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsUnfavoriteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsUnfavoriteMutation`,selections:t},params:{cacheID:`c7aac1c2d4db3acc4a72d6baca54d838`,id:null,metadata:{},name:`PostMutationsUnfavoriteMutation`,operationKind:`mutation`,text:`mutation PostMutationsUnfavoriteMutation(
  $input: PostIdInput!
) {
  payload: unfavoritePost(input: $input) {
    post {
      id
      viewerHasFavorited
      counters {
        favorites
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),ue=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:null,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`EditPostPayload`,kind:`LinkedField`,name:`editPost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsEditMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsEditMutation`,selections:t},params:{cacheID:`973476de504462afe3e18d27c943e77e`,id:null,metadata:{},name:`PostMutationsEditMutation`,operationKind:`mutation`,text:`mutation PostMutationsEditMutation(
  $input: EditPostInput!
) {
  editPost(input: $input) {
    post {
      id
      text
      editedAt
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),de=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:null,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`DeletePostPayload`,kind:`LinkedField`,name:`deletePost`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`deletedPostId`,storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsDeleteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsDeleteMutation`,selections:t},params:{cacheID:`850bb52c5c5cf07c4e6fce9ad4d87db2`,id:null,metadata:{},name:`PostMutationsDeleteMutation`,operationKind:`mutation`,text:`mutation PostMutationsDeleteMutation(
  $input: PostIdInput!
) {
  deletePost(input: $input) {
    deletedPostId
    userErrors {
      code
      message
    }
  }
}
`}}})(),fe=oe,pe=se;function me({id:e,viewerHasLiked:t,counters:n}){let r=!t,i={id:e,viewerHasLiked:r,counters:{likes:n.likes+(r?1:-1)}};return{mutation:r?fe:pe,variables:{input:{postId:e}},optimisticResponse:{payload:{post:i,userErrors:[]}}}}var he=ce,ge=le;function _e({id:e,viewerHasFavorited:t,counters:n}){let r=!t,i={id:e,viewerHasFavorited:r,counters:{favorites:n.favorites+(r?1:-1)}};return{mutation:r?he:ge,variables:{input:{postId:e}},optimisticResponse:{payload:{post:i,userErrors:[]}}}}function ve(e,t,n){return{mutation:ue,variables:{input:{postId:e,text:t}},optimisticResponse:{editPost:{post:{id:e,text:t,editedAt:n},userErrors:[]}}}}function ye(e){let t=t=>{t.delete(e.id),e.replyTo&&k(t,e.replyTo,`comments`,-1),e.repostOf&&k(t,e.repostOf,`reposts`,-1)};return{mutation:de,variables:{input:{postId:e.id}},optimisticUpdater:t,updater:t}}function k(e,t,n,r){let i=e.get(t)?.getLinkedRecord(`counters`),a=i?.getValue(n);typeof a==`number`&&i?.setValue(Math.max(0,a+r),n)}var be=`HomeTimeline_homeFeed`;function A(e){let t=e.get(O.ROOT_ID)?.getLinkedRecord(`viewer`);return t?O.ConnectionHandler.getConnection(t,be):void 0}function xe(e,t=Math.random()){let n=Math.min(3e4,500*2**Math.min(e,10));return n/2+n/2*t}var Se=class{environment;socket;feed;#e=null;#t=null;#n;#r=0;#i=!1;constructor(e,t,n){this.environment=e,this.socket=t,this.feed=n}start(){this.#i=!0;let e=this.socket.onReopen(()=>this.#o());return this.#a(),()=>{this.#i=!1,e(),clearTimeout(this.#n),this.#t?.dispose(),this.#t=null}}get since(){return this.#e}goOn(e){this.#e=e,this.#o()}async#a(){if(this.#e===null){let e=await this.feed.begin();if(this.#e??=e,this.#e===null)return this.#s()}this.#t||this.#o()}#o(){this.#t?.dispose(),this.#t=null,this.#i&&this.#e!==null&&(this.#t=(0,O.requestSubscription)(this.environment,{subscription:this.feed.subscription,variables:{since:this.#e},onNext:e=>{e&&(this.#r=0,this.#e=this.feed.apply(e))},onError:()=>this.#s(),onCompleted:()=>this.#s()}))}#s(){this.#i&&(clearTimeout(this.#n),this.#n=setTimeout(()=>this.#e===null?void this.#a():this.#o(),xe(this.#r++)))}},Ce=(function(){var e={defaultValue:null,kind:`LocalArgument`,name:`after`},t={defaultValue:null,kind:`LocalArgument`,name:`first`},n=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`first`,variableName:`first`}],r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},u={alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},d={alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},f={alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null};return{fragment:{argumentDefinitions:[e,t],kind:`Fragment`,metadata:null,name:`homeQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{args:n,kind:`FragmentSpread`,name:`HomeTimeline_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[t,e],kind:`Operation`,name:`homeQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:n,concreteType:`FeedConnection`,kind:`LinkedField`,name:`homeFeed`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`sortKey`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,i,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},a,o,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,s,c,l,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[c,l,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[r,a,o,i,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[s,c,l,r],storageKey:null},u,d,f],storageKey:null},u,d,f,{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`startCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasPreviousPage`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`syncToken`,storageKey:null}],storageKey:null},{alias:null,args:n,filters:null,handle:`connection`,key:`HomeTimeline_homeFeed`,kind:`LinkedHandle`,name:`homeFeed`}],storageKey:null}]},params:{cacheID:`b2d60ac9403d3ad63361bfa9249daa7a`,id:null,metadata:{},name:`homeQuery`,operationKind:`query`,text:`query homeQuery(
  $first: Int!
  $after: String
) {
  viewer {
    ...HomeTimeline_viewer_2HEEH6
  }
}

fragment HomeTimeline_viewer_2HEEH6 on Viewer {
  homeFeed(first: $first, after: $after) {
    edges {
      cursor
      sortKey
      node {
        id
        publishedAt
        ...PostCard_post
        __typename
      }
    }
    pageInfo {
      startCursor
      hasPreviousPage
      endCursor
      hasNextPage
    }
    syncToken
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
    ...PostActions_post
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
  }
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})();function we(e,t){return e.sortKey===t.sortKey?0:e.sortKey<t.sortKey?-1:1}function Te(e,t){return e.sortKey!==null&&t.sortKey!==null?we({sortKey:e.sortKey},{sortKey:t.sortKey}):e.publishedAt===t.publishedAt?0:e.publishedAt>t.publishedAt?-1:1}function Ee(e,t,n){if(t.some(t=>t.id===e.id))return`shown`;let r=t.findIndex(e=>e.cursor!==null&&e.cursor===n),i=t[Math.max(r,0)];if(!i||Te(e,i)<0)return`above`;let a=t.slice(Math.max(r,0)).find(t=>t.cursor!==null&&Te(e,t)<0);return a?.cursor?{before:a.cursor}:`below`}function De(e,t){return Math.max(e,t)}var Oe={posts:[],counted:0},ke=class{environment;socket;state=c(Oe);#e=null;#t=null;#n;constructor(e,t){this.environment=e,this.socket=t,this.#n=new Se(e,t,{subscription:re,begin:()=>this.#a(),apply:({homeChanges:e})=>this.#o(e)})}start(){let e=this.#n.start();return()=>{e(),this.socket.close()}}setTop(e){this.#r(),e!==this.#e&&(this.#e=e,this.state.set({...this.state.get(),counted:0}))}announced(){return this.state.get().posts.map(e=>e.id)}read(e){this.#r(),this.settle(new Set(e)),this.state.set({...this.state.get(),counted:0})}settle(e){let{posts:t,counted:n}=this.state.get();this.state.set({posts:t.filter(t=>!e.has(t.id)),counted:n})}async count(){let e=this.#e;if(e===null)return;let t=(await(0,O.fetchQuery)(this.environment,ie,{since:e},{fetchPolicy:`network-only`}).toPromise().catch(()=>null))?.viewer?.homeFeed.newCount;t!==void 0&&e===this.#e&&this.state.set({...this.state.get(),counted:t})}#r(){let e=this.#i();e!==null&&e!==this.#t&&(this.#t=e,this.#n.goOn(e))}#i(){let e=null;return(0,O.commitLocalUpdate)(this.environment,t=>{e=t.get(O.ROOT_ID)?.getLinkedRecord(`viewer`)?.getLinkedRecord(`homeFeed`,{first:20})?.getValue(`syncToken`)}),typeof e==`string`?e:null}async#a(){return(await(0,O.fetchQuery)(this.environment,ae,{},{fetchPolicy:`network-only`}).toPromise().catch(()=>null))?.viewer?.homeFeed.syncToken??null}#o({changes:e,syncToken:t}){for(let{kind:t,postId:n,edge:r}of e)t===`RESET`?this.#l():t===`REMOVED`&&n?this.#c(n):r&&(t===`ADDED`||this.announced().includes(r.node.id))&&this.#s({...r.node,cursor:r.cursor,sortKey:r.sortKey});return t}#s(e){let{posts:t,counted:n}=this.state.get();t.some(t=>t.id===e.id)||this.state.set({posts:[...t,e].slice(-100),counted:t.length<100?n&&Math.min(n+1,100):100})}#c(e){this.settle(new Set([e])),(0,O.commitLocalUpdate)(this.environment,t=>{let n=A(t);n&&O.ConnectionHandler.deleteNode(n,e)})}async#l(){this.state.set(Oe),await(0,O.fetchQuery)(this.environment,Ce,{first:20,after:null},{fetchPolicy:`network-only`}).toPromise().catch(()=>null),this.#r()}},j=i(),Ae={home:`M3 11.5 12 4l9 7.5M5.5 10v9.5h13V10M10 19.5v-5.5h4v5.5`,search:`M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.5 21 21`,live:`M12 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM7.8 16.2a6 6 0 0 1 0-8.4M16.2 7.8a6 6 0 0 1 0 8.4M4.9 19.1a10 10 0 0 1 0-14.2M19.1 4.9a10 10 0 0 1 0 14.2`,person:`M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5c.6-4 3.6-6 7.5-6s6.9 2 7.5 6`,settings:`M4 7h9M17 7h3M4 17h3M11 17h9M15 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM9 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z`,compose:`M4 20h4L19.5 8.5a2.1 2.1 0 0 0-3-3L5 17l-1 3ZM14.5 7.5l3 3`,reply:`M20 12.5c0 3.9-3.6 7-8 7-1.2 0-2.4-.2-3.4-.7L4 20l1.3-3.7C4.5 15.2 4 13.9 4 12.5c0-3.9 3.6-7 8-7s8 3.1 8 7Z`,repost:`M4 11V9a3 3 0 0 1 3-3h11M15 3l3 3-3 3M20 13v2a3 3 0 0 1-3 3H6M9 21l-3-3 3-3`,like:`M12 20C7 16.3 3.5 13.3 3.5 9.5A4.5 4.5 0 0 1 12 7.4a4.5 4.5 0 0 1 8.5 2.1C20.5 13.3 17 16.3 12 20Z`,favorite:`m12 3.5 2.6 5.4 5.9.8-4.3 4.1 1 5.9L12 16.9l-5.2 2.8 1-5.9L3.5 9.7l5.9-.8L12 3.5Z`,more:`M5 12a.7.7 0 1 0 1.4 0 .7.7 0 1 0-1.4 0ZM11.3 12a.7.7 0 1 0 1.4 0 .7.7 0 1 0-1.4 0ZM17.6 12a.7.7 0 1 0 1.4 0 .7.7 0 1 0-1.4 0Z`,close:`M6 6l12 12M18 6 6 18`,back:`M19 12H5M11 6l-6 6 6 6`,up:`M12 19V5M6 11l6-6 6 6`,offline:`M3 3l18 18M9 16.5a4.5 4.5 0 0 1 6 0M6 13a9 9 0 0 1 4-2.3M14.5 10.9A9 9 0 0 1 18 13M3 9.5A14 14 0 0 1 7 7M11 5.5a14 14 0 0 1 10 4M12 20h.01`,clock:`M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5l3.5 2`,play:`M8 5.5v13l11-6.5-11-6.5Z`,picture:`M4 5h16v14H4V5ZM4 16l5-5 4 4 2.5-2.5L20 17M15.5 9.5h.01`,refresh:`M20 11a8 8 0 0 0-14.3-4L4 9M4 4v5h5M4 13a8 8 0 0 0 14.3 4l1.7-2M20 20v-5h-5`,out:`M14 4h5v16h-5M10 8l-4 4 4 4M6 12h9`,key:`M14.5 13a4.5 4.5 0 1 0-4.3-3.2L4 16v4h4v-2.5h2.5V15l1.8-1.8c.7.3 1.4-.2 2.2-.2ZM16 8h.01`};function M({name:e,filled:t=!1}){return(0,j.jsx)(`svg`,{className:t?`icon icon-filled`:`icon`,viewBox:`0 0 24 24`,"aria-hidden":`true`,focusable:`false`,children:(0,j.jsx)(`path`,{d:Ae[e]})})}function je(){return(0,j.jsxs)(`svg`,{className:`mark`,viewBox:`0 0 32 32`,"aria-hidden":`true`,focusable:`false`,children:[(0,j.jsx)(`rect`,{width:`32`,height:`32`,rx:`9`}),(0,j.jsx)(`path`,{d:`M5 11c3.7-3 7.3-3 11 0s7.3 3 11 0`}),(0,j.jsx)(`path`,{d:`M5 18c3.7-3 7.3-3 11 0s7.3 3 11 0`,opacity:`.75`}),(0,j.jsx)(`path`,{d:`M5 25c3.7-3 7.3-3 11 0s7.3 3 11 0`,opacity:`.45`})]})}var Me=4e3,Ne=(0,E.createContext)({show:()=>void 0}),N=()=>(0,E.use)(Ne);function Pe(e){if(!e.away)return e;let{text:t,away:n,...r}=e;return r}function Fe({children:e}){let[t,n]=(0,E.useState)([]),[r,i]=(0,E.useMemo)(()=>{let e=0,t=e=>n(t=>t.filter(t=>t.key!==e));return[t,{show:r=>{let i={...r,key:++e};n(e=>[...e.filter(e=>e.title!==r.title),i].slice(-3)),r.tone===`good`&&setTimeout(()=>t(i.key),Me)}}]},[]),{reachable:a}=l(u().status);return(0,E.useEffect)(()=>{a&&n(e=>e.filter(e=>!e.away||e.action).map(Pe))},[a]),(0,j.jsxs)(Ne,{value:i,children:[e,(0,j.jsx)(`section`,{className:`toasts`,"aria-label":T.messages.region,"aria-live":`polite`,children:t.map(e=>(0,j.jsxs)(`div`,{className:`toast toast-${e.tone}`,role:e.tone===`bad`?`alert`:`status`,children:[(0,j.jsxs)(`div`,{className:`toast-text`,children:[(0,j.jsx)(`strong`,{children:e.title}),e.text&&(0,j.jsx)(`span`,{children:e.text}),e.requestId&&(0,j.jsx)(`small`,{children:T.messages.request(e.requestId)})]}),e.action&&(0,j.jsx)(`button`,{type:`button`,className:`button button-small`,onClick:()=>{r(e.key),e.action?.run()},children:e.action.label}),(0,j.jsx)(`button`,{type:`button`,className:`icon-button`,"aria-label":T.messages.dismiss,onClick:()=>r(e.key),children:(0,j.jsx)(M,{name:`close`})})]},e.key))})]})}var P=class extends Error{code;requestId;retryAfter;name=`Failure`;constructor(e,t,n=null,r=0){super(t),this.code=e,this.requestId=n,this.retryAfter=r}},Ie=class extends Error{code;name=`Refusal`;constructor(e,t){super(t),this.code=e}};function F(e){return e instanceof Ie?{title:Le(e.message),help:``,requestId:null,again:!1,away:!1}:e instanceof P?{...T.failures.known[e.code]??{title:T.failures.other,help:Le(e.message),again:!0},requestId:e.requestId,away:e.code===`UNREACHABLE`}:{...T.failures.page,requestId:null,again:!0,away:!1}}function I({title:e,help:t}){return[e,t].filter(Boolean).join(e.endsWith(`.`)?` `:`. `)}function Le(e){let t=e.trim();return t?t[0].toUpperCase()+t.slice(1)+(/[.!?…]$/.test(t)?``:`.`):``}function Re(e,t,n){let r=t?.errors?.[0];if(!r&&e<400&&t!==null)return null;let i=r?.extensions?.requestId??n(`X-Request-Id`);return new P(r?.extensions?.code??ze(e),r?.message??`the server answered with status ${e}`,i,Be(n(`Retry-After`)))}function ze(e){return e===429?`RATE_LIMITED`:e===401?`UNAUTHENTICATED`:e===502||e===503||e===504?`UNAVAILABLE`:e<400?`UNREACHABLE`:`INTERNAL`}function Be(e){let t=Number(e??0);return Number.isFinite(t)&&t>0?Math.ceil(t):0}function L({icon:e,title:t,children:n}){return(0,j.jsxs)(`div`,{className:`notice`,children:[(0,j.jsx)(`span`,{className:`notice-icon`,children:(0,j.jsx)(M,{name:e})}),(0,j.jsx)(`h2`,{children:t}),n&&(0,j.jsx)(`div`,{className:`notice-text`,children:n})]})}function R({label:e,rows:t=5}){return(0,j.jsxs)(`div`,{className:`loading`,role:`status`,children:[(0,j.jsx)(`span`,{className:`hidden`,children:e}),Array.from({length:t},(e,t)=>(0,j.jsxs)(`div`,{className:`ghost`,"aria-hidden":`true`,children:[(0,j.jsx)(`span`,{className:`ghost-face`}),(0,j.jsxs)(`span`,{className:`ghost-lines`,children:[(0,j.jsx)(`i`,{}),(0,j.jsx)(`i`,{}),(0,j.jsx)(`i`,{})]})]},t))]})}function Ve({error:e,retry:t,small:n=!1}){let{title:r,help:i,requestId:a,again:o}=F(e),s=e instanceof P?e.code:``;return(0,j.jsxs)(`div`,{className:n?`notice notice-small`:`notice`,role:`alert`,children:[!n&&(0,j.jsx)(`span`,{className:`notice-icon`,children:(0,j.jsx)(M,{name:s===`UNREACHABLE`?`offline`:`refresh`})}),(0,j.jsx)(`h2`,{children:r}),(0,j.jsxs)(`div`,{className:`notice-text`,children:[s===`RATE_LIMITED`?(0,j.jsx)(He,{retry:t}):(0,j.jsx)(`p`,{children:i}),a&&(0,j.jsx)(`small`,{children:T.messages.request(a)})]}),s===`UNREACHABLE`&&(0,j.jsx)(Ue,{retry:t}),o&&s!==`RATE_LIMITED`&&(0,j.jsx)(`button`,{type:`button`,className:`button`,onClick:t,children:T.messages.tryAgain})]})}function He({retry:e}){let{limitedUntil:t}=l(u().status),n=Math.ceil((t-p(`second`))/1e3)*1e3,r=n<=0,i=We(e);return(0,E.useEffect)(()=>{r&&i.current()},[r,i]),(0,j.jsx)(`p`,{children:r?T.failures.retrying:T.failures.retryingIn(n)})}function Ue({retry:e}){let{reachable:t}=l(u().status),n=(0,E.useRef)(!1),r=We(e);return(0,E.useEffect)(()=>{t?n.current&&r.current():n.current=!0},[t,r]),null}function We(e){let t=(0,E.useRef)(e);return(0,E.useEffect)(()=>{t.current=e}),t}var Ge=class extends E.Component{state={error:null,attempt:0};static getDerivedStateFromError(e){return{error:e}}render(){let{error:e,attempt:t}=this.state;return e===null?this.props.children(t):(0,j.jsx)(Ve,{error:e,retry:()=>{this.props.onRetry?.(),this.setState({error:null,attempt:t+1})}})}};function Ke({loading:e,failure:t,hasMore:n,retry:r,end:i}){return t?(0,j.jsx)(Ve,{error:t,retry:r,small:!0}):e?(0,j.jsx)(R,{label:T.lists.loadingMore,rows:2}):n?(0,j.jsx)(`p`,{className:`list-end`,children:(0,j.jsx)(`button`,{type:`button`,className:`button`,onClick:r,children:T.lists.showMore})}):(0,j.jsx)(`p`,{className:`list-end`,children:i})}var qe=2,Je=e=>new Promise(t=>setTimeout(t,e));function Ye(e,t,n,r){let i=async(n,i)=>{let a=t.status.get().limitedUntil-Date.now();if(a>0)throw new P(`RATE_LIMITED`,`the server asked for a pause`,null,Math.ceil(a/1e3));let o=t.asked(),s=await Ze(e,{query:n.text,variables:i}).catch(()=>null);if(!s)throw t.lost(),new P(`UNREACHABLE`,`the server does not answer`);o();let c=await s.json().catch(()=>null),l=Re(s.status,c,e=>s.headers.get(e))??Xe(c,r);if(!l)return c;throw l.code===`RATE_LIMITED`&&t.limited(l.retryAfter),l.code===`UNAUTHENTICATED`&&r.signedOut(),l};return O.Network.create(async(e,t)=>{for(let n=0;;n++)try{return await i(e,t)}catch(t){if(!(e.operationKind===`query`&&t instanceof P&&t.code===`UNAVAILABLE`)||n===qe)throw t;await Je(Math.max(xe(n),t.retryAfter*1e3))}},(e,t)=>O.Observable.create(i=>n.subscribe({query:e.text??``,variables:t},{next:i.next,complete:i.complete,error(e){e instanceof P&&e.code===`UNAUTHENTICATED`&&r.signedOut(),i.error(e)}})))}function Xe(e,t){let n=e.data;return!t.known||n?.viewer!==null?null:new P(`UNAUTHENTICATED`,`the session is over`)}function Ze(e,t){return fetch(e,{method:`POST`,headers:{"Content-Type":`application/json`,Accept:`application/graphql-response+json, application/json;q=0.5`},body:JSON.stringify(t)})}var Qe=20;function $e(e,t,n){return new O.Environment({network:Ye(`/graphql`,e,t,n),store:new O.Store(new O.RecordSource,{gcReleaseBufferSize:Qe})})}var et=(function(){let e=typeof document<`u`&&document.createElement(`link`).relList;return e&&e.supports&&e.supports(`modulepreload`)?`modulepreload`:`preload`})(),tt=function(e){return`/assets/`+e},nt={},rt=function(e){return e.pathname.endsWith(`.css`)},it=function(e,t,n){if(t in e)return e[t];let r=n();if(!r){e[t]=void 0;return}let i=r.then(()=>{e[t]=void 0},n=>{throw e[t]=void 0,n});return e[t]=i,i},z=function(e,t,n){let r=Promise.resolve();if(t&&t.length>0){let e,i=document.querySelector(`meta[property=csp-nonce]`),a=i?.nonce||i?.getAttribute(`nonce`);function o(e){return Promise.all(e.map(e=>Promise.resolve(e).then(e=>({status:`fulfilled`,value:e}),e=>({status:`rejected`,reason:e}))))}function s(e){return import.meta.resolve?new URL(import.meta.resolve(e)):new URL(e,import.meta.url)}r=o(t.map(t=>{t=tt(t,n);let r=s(t),i=rt(r);return it(nt,r.href,()=>{if(e===void 0){e={all:new Set,styles:new Set};let t=document.getElementsByTagName(`link`);for(let n=t.length-1;n>=0;n--){let r=t[n];e.all.add(r.href),r.rel===`stylesheet`&&e.styles.add(r.href)}}if((i?e.styles:e.all).has(r.href))return;let t=document.createElement(`link`);if(t.rel=i?`stylesheet`:et,i||(t.as=`script`),t.crossOrigin=``,t.href=r.href,a&&t.setAttribute(`nonce`,a),document.head.appendChild(t),i)return new Promise((e,n)=>{let i=a=>{t.removeEventListener(`load`,i),t.removeEventListener(`error`,i),a.type===`error`?n(Error(`Unable to preload CSS for ${r}`)):e(a)};t.addEventListener(`load`,i),t.addEventListener(`error`,i)})})}).filter(e=>e!==void 0))}function i(e){let t=new Event(`vite:preloadError`,{cancelable:!0});if(t.payload=e,window.dispatchEvent(t),!t.defaultPrevented)throw e}return r.then(t=>{for(let e of t||[])e.status===`rejected`&&i(e.reason);return e().catch(i)})},at=class{endpoint;#e=null;#t=0;#n=!1;#r=new Set;constructor(e){this.endpoint=e}onReopen(e){return this.#r.add(e),()=>this.#r.delete(e)}subscribe(e,t){let n=!1,r=()=>void 0;return this.#i().then(i=>{n||(r=i.subscribe(e,ot(t)))},e=>t.error(e)),()=>{n=!0,r()}}close(){this.#e?.then(e=>e.dispose()).catch(()=>void 0)}#i(){return this.#e??=z(async()=>{let{createClient:e}=await import(`./client-dist-22dc98f1.js`);return{createClient:e}},[]).then(({createClient:e})=>e({url:new URL(this.endpoint,location.href.replace(/^http/,`ws`)).href,keepAlive:2e4,retryAttempts:1/0,shouldRetry:()=>!0,retryWait:()=>new Promise(e=>setTimeout(e,xe(this.#t++))),onNonLazyError:()=>void 0,on:{connected:()=>{if(this.#t=0,this.#n)for(let e of[...this.#r])e();this.#n=!0}}})),this.#e}};function ot(e){return{next(t){let n=t.errors?.[0];n?e.error(new P(String(n.extensions?.code??`INTERNAL`),n.message)):e.next(t)},error:()=>e.error(new P(`UNAVAILABLE`,`the subscription has ended`)),complete:()=>e.complete()}}var st=`/session`,ct=()=>B(`GET`);async function lt(){let e=ut(location.hash);return e===null?ct():(history.replaceState(history.state,``,location.pathname+location.search),B(`POST`,{demoSecret:e}).catch(e=>{if(e instanceof P&&e.code===`FORBIDDEN`)return ct();throw e}))}var ut=e=>new URLSearchParams(e.slice(1)).get(`demo`)||null,dt=e=>B(`POST`,e);async function ft(){return await B(`DELETE`),ct()}async function B(e,t){let n=await fetch(st,{method:e,...t&&{headers:{"Content-Type":`application/json`},body:JSON.stringify(t)}}).catch(()=>{throw new P(`UNREACHABLE`,`the server does not answer`)});if(n.status===204)return{user:null,admin:!1,demoUsers:[]};let r=await n.json().catch(()=>null),i=Re(n.status,r,e=>n.headers.get(e));if(i)throw i;return r}function pt(e,t){let n=new URLSearchParams(e).get(`next`);if(!n||!mt(n)||!URL.canParse(n,t))return null;let r=new URL(n,t);return r.origin===new URL(t).origin&&mt(r.pathname)?r.pathname+r.search:null}var mt=e=>/^\/(?![/\\])[^\\]*$/.test(e),ht=(0,E.createContext)({session:{user:null,admin:!1,demoUsers:[]},expired:!1,change:()=>void 0}),V=()=>(0,E.use)(ht),gt=(function(){var e=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`DeskProviderQuery`,selections:e,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[],kind:`Operation`,name:`DeskProviderQuery`,selections:e},params:{cacheID:`8fb00b43f0cae9ad702976b68b983e5f`,id:null,metadata:{},name:`DeskProviderQuery`,operationKind:`query`,text:`query DeskProviderQuery {
  viewer {
    user {
      id
      databaseId
      handle
      name
    }
  }
}
`}}})();function H({title:e,onClose:t,children:n}){let r=(0,E.useRef)(null),i=(0,E.useId)();return(0,E.useLayoutEffect)(()=>{let e=r.current;return e?.showModal(),()=>e?.close()},[]),(0,j.jsx)(`dialog`,{ref:r,className:`dialog`,"aria-labelledby":i,onClose:t,onClick:e=>e.target===r.current&&t(),children:(0,j.jsxs)(`div`,{className:`dialog-body`,children:[(0,j.jsxs)(`header`,{className:`dialog-head`,children:[(0,j.jsx)(`h2`,{id:i,children:e}),(0,j.jsx)(`button`,{type:`button`,className:`icon-button`,"aria-label":T.dialog.close,onClick:t,children:(0,j.jsx)(M,{name:`close`})})]}),n]})})}function _t(e){return(0,j.jsxs)(H,{title:e.title,onClose:e.onClose,children:[(0,j.jsx)(`p`,{children:e.text}),(0,j.jsxs)(`div`,{className:`dialog-foot`,children:[(0,j.jsx)(`button`,{type:`button`,className:`button`,onClick:e.onClose,children:T.dialog.cancel}),(0,j.jsx)(`button`,{type:`button`,className:`button button-danger`,onClick:()=>{e.onClose(),e.onYes()},children:e.yes})]})]})}function vt(e,t){return new Promise((n,r)=>{let{updater:i}=t;(0,O.commitMutation)(e,{...t,...i&&{updater:(e,t)=>{t&&!yt(t)&&i(e,t)}},onCompleted(t){let i=yt(t);i?r(i):(b(e),n(t))},onError:r})})}function yt(e){for(let t of Object.values(e)){let e=t?.userErrors?.[0];if(e)return new Ie(e.code,e.message)}return null}function U(){let e=(0,D.useRelayEnvironment)(),t=N();return(0,E.useCallback)(async(n,r,i)=>{let a=async()=>{try{return await vt(e,n),i?.(),!0}catch(e){let n=F(e);return t.show({tone:`bad`,title:r,text:I(n),requestId:n.requestId,away:n.away,...n.again&&{action:{label:T.messages.tryAgain,run:()=>void a()}}}),!1}};return a()},[e,t])}var bt=`tideline-draft `,xt=new Set;function St(e,{replyTo:t,repostOf:n}){return`${bt}${e} ${t?`reply ${t}`:n?`repost ${n}`:`post`}`}function W(e){let t=sessionStorage.getItem(e);return t?JSON.parse(t):{text:``}}function G(e,t){t.text||t.sent?sessionStorage.setItem(e,JSON.stringify(t)):sessionStorage.removeItem(e);for(let e of[...xt])e()}function Ct(e){return[(0,E.useSyncExternalStore)(wt,()=>W(e).text),(0,E.useCallback)(t=>G(e,{...W(e),text:t}),[e])]}function wt(e){return xt.add(e),()=>xt.delete(e)}function Tt(e,t,n){let{sent:r}=W(e),i=r?.text===t?r.key:n();return G(e,{text:``,sent:{text:t,key:i}}),i}function Et(e,t){let n=W(e);G(e,{...n,text:n.text||t})}function Dt(e,t){let n=W(e);G(e,{text:n.text===t?``:n.text})}function Ot(){for(let e of Object.keys(sessionStorage))e.startsWith(bt)&&sessionStorage.removeItem(e)}var kt=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{kind:`Variable`,name:`input`,variableName:`input`}],n={alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`sortKey`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},a={alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},d={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},f={alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},p={alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},m={alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`publishMutation`,selections:[{alias:null,args:t,concreteType:`PublishPostPayload`,kind:`LinkedField`,name:`publishPost`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`feedEdge`,plural:!1,selections:[n,r,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[i,{args:null,kind:`FragmentSpread`,name:`PostCard_post`}],storageKey:null}],storageKey:null},a],storageKey:null}],type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`publishMutation`,selections:[{alias:null,args:t,concreteType:`PublishPostPayload`,kind:`LinkedField`,name:`publishPost`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`feedEdge`,plural:!1,selections:[n,r,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[i,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},o,s,c,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,l,u,d,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[i,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[u,d,i],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[i,o,s,c,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[l,u,d,i],storageKey:null},f,p,m],storageKey:null},f,p,m],storageKey:null}],storageKey:null},a],storageKey:null}]},params:{cacheID:`b13ed0b59565d0ca31dcfd04f914d699`,id:null,metadata:{},name:`publishMutation`,operationKind:`mutation`,text:`mutation publishMutation(
  $input: PublishPostInput!
) {
  publishPost(input: $input) {
    feedEdge {
      cursor
      sortKey
      node {
        id
        ...PostCard_post
      }
    }
    userErrors {
      code
      message
    }
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
    ...PostActions_post
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
  }
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})();function At(e,t,n){return{mutation:kt,variables:{input:{...e,idempotencyKey:t}},optimisticUpdater:r=>{let i=n?r.get(n):null;i&&(Nt(r,Mt(r,e,t,i),null,e,i),e.repostOf&&k(r,e.repostOf,`reposts`,1))},updater:t=>{let r=t.getRootField(`publishPost`)?.getLinkedRecord(`feedEdge`),i=r?.getLinkedRecord(`node`);r&&i&&Nt(t,i,r,e,n?t.get(n)??null:null)}}}var jt=e=>e.startsWith(`pending:`);function Mt(e,t,n,r){let i=e.create(`pending:${n}`,`Post`),a=e.create(`pending:${n}:counters`,`PostCounters`);for(let e of[`likes`,`comments`,`reposts`,`favorites`])a.setValue(0,e);let o={id:`pending:${n}`,databaseId:`0`,kind:Pt(t),text:t.text,media:[],publishedAt:new Date().toISOString(),editedAt:null,viewerHasLiked:!1,viewerHasFavorited:!1};for(let[e,t]of Object.entries(o))i.setValue(t,e);i.setLinkedRecord(r,`author`),i.setLinkedRecord(a,`counters`);for(let n of[`replyTo`,`repostOf`]){let r=t[n]?e.get(t[n]):null;r?i.setLinkedRecord(r,n):i.setValue(null,n)}return i}function Nt(e,t,n,r,i){let a=r.replyTo?e.get(r.replyTo):null,o=[A(e),i&&O.ConnectionHandler.getConnection(i,`ProfilePosts_posts`),a&&O.ConnectionHandler.getConnection(a,`PostComments_comments`)];for(let r of o){if(!r)continue;let i=O.ConnectionHandler.createEdge(e,r,t,`FeedEdge`);for(let e of[`cursor`,`sortKey`])i.setValue(r===o[0]?n?.getValue(e)??null:null,e);O.ConnectionHandler.insertEdgeBefore(r,i)}r.replyTo&&k(e,r.replyTo,`comments`,1)}function Pt(e){return e.replyTo?`COMMENT`:e.repostOf?`REPOST`:`POST`}function Ft(){return[...crypto.getRandomValues(new Uint8Array(16))].map(e=>e.toString(16).padStart(2,`0`)).join(``)}var It=5e3,Lt=200;function Rt({label:e,value:t,placeholder:n,autoFocus:r=!1,onChange:i,onSend:a}){let o=(0,E.useRef)(null),s=(0,E.useId)();(0,E.useEffect)(()=>{let e=o.current;e&&(e.style.height=`auto`,e.style.height=`${e.scrollHeight}px`)},[t]),(0,E.useEffect)(()=>{let e=o.current;r&&e&&(e.focus(),e.setSelectionRange(e.value.length,e.value.length))},[r]);let c=It-x(t);return(0,j.jsxs)(`div`,{className:`text-field`,children:[(0,j.jsx)(`textarea`,{ref:o,rows:1,dir:`auto`,"aria-label":e,"aria-describedby":s,"aria-invalid":c<0,placeholder:n,value:t,onChange:e=>i(e.target.value),onKeyDown:e=>{e.key===`Enter`&&(e.ctrlKey||e.metaKey)&&(e.preventDefault(),a())}}),(0,j.jsx)(`span`,{id:s,className:c<0?`left left-over`:`left`,role:`status`,children:c<0?T.composer.over(-c):c<=Lt?T.composer.left(c):``})]})}function zt({draft:e,autoFocus:t=!1,onSent:n}){let{session:r}=V(),i=St(r.user?.id??``,e),[a,o]=Ct(i),{account:s}=y(),c=U(),l=x(a)<=5e3&&(a.trim()!==``||e.repostOf!==void 0),u=Bt(e),d=async()=>{if(!l)return;let t=Tt(i,a,Ft),{about:r,...o}=e;n?.(),await c(At({...o,text:a},t,s?.id??null),T.composer.failed,()=>Dt(i,a))||Et(i,a)};return(0,j.jsxs)(`form`,{className:`composer`,"aria-label":u.label,onSubmit:e=>{e.preventDefault(),d()},children:[s?(0,j.jsx)(h,{user:s}):(0,j.jsx)(`span`,{className:`avatar`}),(0,j.jsxs)(`div`,{className:`composer-main`,children:[e.about&&(0,j.jsxs)(`blockquote`,{className:`quoted`,children:[(0,j.jsxs)(`p`,{className:`post-by`,children:[(0,j.jsx)(`strong`,{dir:`auto`,children:e.about.name}),` `,(0,j.jsxs)(`span`,{className:`post-handle`,children:[`@`,e.about.handle]})]}),(0,j.jsx)(`p`,{className:`post-text composer-about`,dir:`auto`,children:e.about.text})]}),(0,j.jsx)(Rt,{label:u.label,placeholder:u.placeholder,value:a,onChange:o,onSend:()=>void d(),autoFocus:t}),(0,j.jsxs)(`div`,{className:`composer-foot`,children:[(0,j.jsx)(`small`,{className:`composer-hint`,children:T.composer.hint}),(0,j.jsx)(`button`,{type:`submit`,className:`button button-primary`,"aria-disabled":!l,children:u.button})]})]})]})}function Bt(e){let{post:t,reply:n,quote:r}=T.composer;return e.replyTo?n:e.repostOf?r:t}function Vt(){let{session:e,expired:t,change:n}=V(),[r,i]=(0,E.useState)(``),[a,o]=(0,E.useState)(!1),s=pt(location.search,location.href),c=async e=>{if(!a){o(!0),i(``);try{let t=await dt(e);s&&t.admin?location.assign(s):n(t)}catch(e){i(Ht(e)),o(!1)}}};return(0,j.jsxs)(`section`,{className:`sign-in`,"aria-labelledby":`sign-in-title`,"aria-busy":a,children:[(0,j.jsx)(`h2`,{id:`sign-in-title`,children:T.signIn.title}),t&&(0,j.jsxs)(`p`,{className:`note`,role:`status`,children:[T.signIn.expired,` `,T.signIn.expiredHint]}),s&&(0,j.jsx)(`p`,{className:`note`,role:`status`,children:Ut(new URL(s,location.href).pathname,e)}),r&&(0,j.jsx)(`p`,{className:`note note-bad`,role:`alert`,children:r}),e.demoUsers.length>0&&(0,j.jsx)(Wt,{users:e.demoUsers,onChoose:e=>void c({demoUserId:e})}),e.demoLink&&(0,j.jsx)(`p`,{className:`note`,children:T.signIn.demoLink}),(0,j.jsx)(Gt,{onToken:e=>void c({token:e})})]})}function Ht(e){return e instanceof P&&e.code!==`UNREACHABLE`?T.signIn.failed(Le(e.message)):T.signIn.failed(I(F(e)))}function Ut(e,{user:t}){return t?T.signIn.notAdmin(e,t.handle):T.signIn.adminsOnly(e)}function Wt({users:e,onChoose:t}){return(0,j.jsxs)(j.Fragment,{children:[(0,j.jsx)(`h3`,{id:`demo-title`,children:T.signIn.demoTitle}),(0,j.jsx)(`p`,{className:`hint`,children:T.signIn.demoHint}),(0,j.jsx)(`ul`,{className:`demo-users`,"aria-labelledby":`demo-title`,children:e.map(e=>(0,j.jsx)(`li`,{children:(0,j.jsxs)(`button`,{type:`button`,className:`demo-user`,onClick:()=>t(e.id),children:[(0,j.jsx)(h,{user:{databaseId:e.id,name:e.name||e.handle}}),(0,j.jsxs)(`span`,{className:`person-words`,children:[(0,j.jsx)(`strong`,{children:e.name||e.handle}),` `,(0,j.jsxs)(`span`,{children:[`@`,e.handle]})]})]})},e.id))})]})}function Gt({onToken:e}){let t=(0,E.useRef)(null);return(0,j.jsxs)(`form`,{className:`token-form`,onSubmit:n=>{n.preventDefault();let r=t.current?.value.trim();r&&e(r)},children:[(0,j.jsx)(`h3`,{children:(0,j.jsx)(`label`,{htmlFor:`token`,children:T.signIn.tokenTitle})}),(0,j.jsx)(`p`,{className:`hint`,id:`token-hint`,children:T.signIn.tokenHint}),(0,j.jsxs)(`div`,{className:`token-row`,children:[(0,j.jsx)(M,{name:`key`}),(0,j.jsx)(`input`,{ref:t,id:`token`,type:`password`,autoComplete:`off`,autoCapitalize:`off`,spellCheck:!1,required:!0,"aria-describedby":`token-hint`}),(0,j.jsx)(`button`,{type:`submit`,className:`button button-primary`,children:T.signIn.submit})]})]})}function Kt(){return(0,j.jsx)(`dl`,{className:`keys`,children:T.shortcuts.keys.map(([e,t])=>(0,j.jsxs)(`div`,{children:[(0,j.jsx)(`dt`,{children:(0,j.jsx)(`kbd`,{children:e})}),(0,j.jsx)(`dd`,{children:t})]},e))})}function qt(e){if(e.defaultPrevented||e.ctrlKey||e.metaKey||e.altKey||document.querySelector(`dialog[open]`))return!1;let t=e.target;return t.closest(`dialog:not([open])`)!==null||!t.closest(`input, textarea, select, [contenteditable], [role=menu]`)}function K(e,t){let n=(0,E.useRef)(t);(0,E.useEffect)(()=>{n.current=t}),(0,E.useEffect)(()=>{let t=t=>{t.key===e&&qt(t)&&(t.preventDefault(),n.current())};return addEventListener(`keydown`,t),()=>removeEventListener(`keydown`,t)},[e])}function Jt(){return document.activeElement?.closest(`article[data-post]`)??null}function Yt({children:e}){let[t,n]=(0,E.useState)(null),{session:r}=V(),i=Qt(r.user!==null),a=r.user!==null,o=(0,E.useCallback)(e=>n(t=>({...e,turn:(t?.turn??0)+1})),[]),s=(0,E.useMemo)(()=>{let e=e=>a?e():o({dialog:`sign-in`});return{signedIn:e,account:i,compose:t=>e(()=>o({dialog:`compose`,draft:t}))}},[a,i,o]),c=()=>n(e=>e?.turn===t?.turn?null:e);return Zt(s,()=>o({dialog:`help`})),(0,j.jsxs)(f,{value:s,children:[e,t?.dialog===`compose`&&(0,j.jsx)(H,{title:Xt(t.draft),onClose:c,children:(0,j.jsx)(zt,{draft:t.draft,autoFocus:!0,onSent:c})},t.turn),t?.dialog===`sign-in`&&(0,j.jsx)(H,{title:T.signIn.needed,onClose:c,children:(0,j.jsx)(Vt,{})},t.turn),t?.dialog===`help`&&(0,j.jsx)(H,{title:T.shortcuts.title,onClose:c,children:(0,j.jsx)(Kt,{})},t.turn)]})}function Xt(e){let{titles:t}=T.composer;return e.replyTo?t.reply:e.repostOf?t.quote:t.post}function Zt(e,t){let n=e=>Jt()?.querySelector(`[data-action=${e}]`)?.click();K(`n`,()=>e.compose({text:``})),K(`r`,()=>n(`reply`)),K(`l`,()=>n(`like`)),K(`f`,()=>n(`favorite`)),K(`/`,()=>v(`/search`)),K(`h`,()=>v(`/`)),K(`?`,t)}function Qt(e){let t=(0,D.useRelayEnvironment)(),[n,r]=(0,E.useState)(null);return(0,E.useEffect)(()=>{if(!e)return;let{unsubscribe:n}=(0,D.fetchQuery)(t,gt,{}).subscribe({next:e=>r(e?.viewer?.user??null),error:()=>void 0});return n},[t,e]),n}var q=`tideline-home`,$t=en();function en(){let e=sessionStorage.getItem(q);return sessionStorage.removeItem(q),e?JSON.parse(e):null}function tn(e,t){t===null?sessionStorage.removeItem(q):sessionStorage.setItem(q,JSON.stringify({place:e,after:t}))}function nn(e){return $t?.place===e?$t.after:null}var rn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`before`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`last`}],t=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`before`,variableName:`before`},{kind:`Variable`,name:`first`,variableName:`first`},{kind:`Variable`,name:`last`,variableName:`last`}],n={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},l={alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},d={alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`HomeTimelinePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{args:t,kind:`FragmentSpread`,name:`HomeTimeline_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`HomeTimelinePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:t,concreteType:`FeedConnection`,kind:`LinkedField`,name:`homeFeed`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`sortKey`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[n,r,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},i,a,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[n,o,s,c,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[n,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[s,c,n],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[n,i,a,r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[o,s,c,n],storageKey:null},l,u,d],storageKey:null},l,u,d,{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`startCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasPreviousPage`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`syncToken`,storageKey:null}],storageKey:null},{alias:null,args:t,filters:null,handle:`connection`,key:`HomeTimeline_homeFeed`,kind:`LinkedHandle`,name:`homeFeed`}],storageKey:null}]},params:{cacheID:`03093b696bd2c0efd193fa4f20520da7`,id:null,metadata:{},name:`HomeTimelinePageQuery`,operationKind:`query`,text:`query HomeTimelinePageQuery(
  $after: String
  $before: String
  $first: Int
  $last: Int
) {
  viewer {
    ...HomeTimeline_viewer_pbnwq
  }
}

fragment HomeTimeline_viewer_pbnwq on Viewer {
  homeFeed(first: $first, after: $after, last: $last, before: $before) {
    edges {
      cursor
      sortKey
      node {
        id
        publishedAt
        ...PostCard_post
        __typename
      }
    }
    pageInfo {
      startCursor
      hasPreviousPage
      endCursor
      hasNextPage
    }
    syncToken
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
    ...PostActions_post
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
  }
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})(),an=(function(){var e=[`homeFeed`];return{argumentDefinitions:[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`before`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`last`}],kind:`Fragment`,metadata:{connection:[{count:null,cursor:null,direction:`bidirectional`,path:e}],refetch:{connection:{forward:{count:`first`,cursor:`after`},backward:{count:`last`,cursor:`before`},path:e},fragmentPathInResult:[`viewer`],operation:rn}},name:`HomeTimeline_viewer`,selections:[{alias:`homeFeed`,args:null,concreteType:`FeedConnection`,kind:`LinkedField`,name:`__HomeTimeline_homeFeed_connection`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`sortKey`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},{args:null,kind:`FragmentSpread`,name:`PostCard_post`},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`startCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasPreviousPage`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`syncToken`,storageKey:null}],storageKey:null}],type:`Viewer`,abstractKey:null}})(),on=3;function sn({count:e,authors:t,busy:n,onClick:r}){(0,E.useEffect)(()=>{document.title=T.title(e>0?T.home.titleWithNew(e):T.navigation.home)},[e]);let i=T.home.newPosts(e,100);return(0,j.jsxs)(`div`,{className:`pill-place`,children:[(0,j.jsx)(`span`,{className:`hidden`,role:`status`,children:e>0?i:``}),e>0&&(0,j.jsxs)(`button`,{type:`button`,className:`pill`,"aria-busy":n,onClick:r,children:[(0,j.jsx)(M,{name:`up`}),t.length>0&&(0,j.jsx)(`span`,{className:`pill-faces`,"aria-hidden":`true`,children:t.slice(0,on).map(e=>(0,j.jsx)(h,{user:e,size:`small`},e.databaseId))}),i]})]})}function cn(e,t,n){let r=n=>t.heights.get(e[n])??t.estimate,i=t.anchor?e.indexOf(t.anchor.key):-1,a=Math.max(i,0),o=i>=0?t.anchor.offset:0,s=a;for(let e=o;s>0&&e>-1*n;)e-=r(--s);let c=a;for(let t=o;c<e.length&&t<2*n;)t+=r(c++);let l=(e,t)=>{let n=0;for(let i=e;i<t;i++)n+=r(i);return n};return{start:s,end:c,before:l(0,s),after:l(c,e.length)}}var ln=20,J=new Map;function un(e,t,n){let r=`${e} ${t}`,i=J.get(r)??{heights:new Map,estimate:n,anchor:null,focused:null};J.delete(r),J.set(r,i);for(let e of J.keys()){if(J.size<=ln)break;J.delete(e)}return i}var dn=6;function fn(e){let{items:t,keyOf:n,render:r,memory:i,moreAbove:a=!1,onNearTop:o,onNearEnd:s}=e,c=(0,E.useRef)(null),l=t.map(n),u=cn(l,i,innerHeight),d=pn(c,{keys:l,range:u,memory:i,moreAbove:a});return mn(e.ref,c,l,i,d),hn(c,i,e.returned??!1),(0,E.useEffect)(()=>{u.end>=l.length-dn&&s?.(),u.start<=dn&&o?.()}),(0,j.jsx)(`div`,{ref:c,className:`window-list`,role:`feed`,"aria-label":e.label,"aria-busy":e.busy??!1,onFocus:()=>i.focused=vn(c.current)??null,style:{paddingTop:u.before,paddingBottom:u.after},children:t.slice(u.start,u.end).map((e,t)=>(0,j.jsx)(`div`,{"data-key":l[u.start+t],className:`window-item`,children:r(e,u.start+t)},l[u.start+t]))})}function pn(e,t){let[,n]=(0,E.useReducer)(e=>e+1,0),{memory:r}=t,i=(0,E.useRef)(t);return(0,E.useLayoutEffect)(()=>{i.current=t,gn(e.current,r)}),(0,E.useEffect)(()=>{let t=()=>{if(!e.current)return;let{keys:t,range:a,moreAbove:o}=i.current;r.anchor=_n(e.current,t,r,o);let s=cn(t,r,innerHeight);(s.start!==a.start||s.end!==a.end)&&n()},a=new ResizeObserver(()=>gn(e.current,r));return e.current&&a.observe(e.current),addEventListener(`scroll`,t,{passive:!0}),addEventListener(`resize`,t),()=>{a.disconnect(),removeEventListener(`scroll`,t),removeEventListener(`resize`,t)}},[e,r]),n}function mn(e,t,n,r,i){let a=(0,E.useRef)(null);(0,E.useLayoutEffect)(()=>{a.current!==null&&bn(t.current,a.current)&&(a.current=null)}),(0,E.useImperativeHandle)(e,()=>({move(e){let o=n.indexOf(vn(t.current)??``),s=o>=0?o+e:Math.max(0,n.indexOf(r.anchor?.key??``)),c=n[Math.min(Math.max(s,0),n.length-1)];c===void 0||bn(t.current,c)||(a.current=c,r.anchor={key:c,offset:innerHeight/3},i())},toTop(){r.anchor=null,i(),scrollTo({top:0})}}))}function hn(e,t,n){let r=(0,E.useRef)(!0);(0,E.useLayoutEffect)(()=>{if(!r.current)return;r.current=!1;let i=document.activeElement?.closest(`main *, dialog, input, button, a`);n&&!i&&t.focused!==null&&yn(e.current,t.focused)?.focus({preventScroll:!0})})}var Y=e=>[...e.children];function gn(e,t){if(!e)return;for(let n of Y(e)){let{key:e}=n.dataset,{height:r}=n.getBoundingClientRect();e!==void 0&&r>0&&t.heights.set(e,r)}let{anchor:n}=t,r=n&&Y(e).find(e=>e.dataset.key===n.key);if(!r)return;let i=r.getBoundingClientRect().top-n.offset;Math.abs(i)>=1&&scrollBy({top:i,behavior:`instant`})}function _n(e,t,n,r){let{top:i}=e.getBoundingClientRect();if(i>=0&&!r)return null;for(let t of Y(e)){let e=t.getBoundingClientRect(),{key:n}=t.dataset;if(e.bottom>0&&e.top<innerHeight&&n!==void 0)return{key:n,offset:e.top}}let a=i;for(let e of t){let t=n.heights.get(e)??n.estimate;if(a+t>0)return{key:e,offset:a};a+=t}return null}function vn(e){let t=document.activeElement?.closest(`.window-item`);return t&&e?.contains(t)?t.dataset.key:void 0}function yn(e,t){return(e&&Y(e).find(e=>e.dataset.key===t))?.querySelector(`article`)??null}function bn(e,t){let n=yn(e,t);return n?(n.focus({preventScroll:!0}),n.scrollIntoView({block:`nearest`}),!0):!1}var xn=(function(){var e={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},t={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},n={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},r={args:null,kind:`FragmentSpread`,name:`PostActions_post`};return{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostCard_post`,selections:[e,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[e,{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},t,n],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[e,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[t,n],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[e,{args:null,kind:`FragmentSpread`,name:`PostCard_quoted`},r],storageKey:null},r,{args:null,kind:`FragmentSpread`,name:`PostMenu_post`}],type:`Post`,abstractKey:null}})(),Sn={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostCard_quoted`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null}],storageKey:null}],type:`Post`,abstractKey:null},Cn=[`posts`,`following`,`followers`,`live`];function wn(e,t=``){let n=new URLSearchParams(t),[r=``,i,a]=e.split(`/`).slice(1).map(Dn);if(a!==void 0)return{name:`lost`};if(i!==void 0)return i?r===`u`?{name:`profile`,handle:i,tab:En(n.get(`tab`))}:r===`p`?{name:`post`,id:i}:{name:`lost`}:{name:`lost`};switch(r){case``:return{name:`home`};case`search`:return{name:`search`,query:n.get(`q`)??``};case`live`:case`settings`:return{name:r};default:return{name:`lost`}}}var X=(e,t=`posts`)=>`/u/${encodeURIComponent(e)}${t===`posts`?``:`?tab=${t}`}`,Z=e=>`/p/${encodeURIComponent(e)}`,Tn=e=>e?`/search?q=${encodeURIComponent(e)}`:`/search`;function En(e){return Cn.find(t=>t===e)??`posts`}function Dn(e){try{return decodeURIComponent(e)}catch{return e}}function On({text:e}){return _(e).map((e,t)=>{switch(e.kind){case`link`:return(0,j.jsx)(`a`,{href:e.href,target:`_blank`,rel:`noreferrer nofollow`,children:C(e.href)+(e.text.length>40?`/…`:e.text.replace(/^https?:\/\/[^/]+/,``))},t);case`mention`:return(0,j.jsx)(w,{href:X(e.handle),children:e.text},t);default:return e.text}})}function kn({postId:e,text:t,onDone:n}){let[r,i]=(0,E.useState)(t),a=U(),o=()=>{x(r)>5e3||(n(),r!==t&&a(ve(e,r,new Date().toISOString()),T.edit.failed))};return(0,j.jsxs)(`form`,{className:`edit`,onSubmit:e=>{e.preventDefault(),o()},onKeyDown:e=>e.key===`Escape`&&n(),children:[(0,j.jsx)(Rt,{label:T.edit.label,value:r,onChange:i,onSend:o,autoFocus:!0}),(0,j.jsxs)(`div`,{className:`edit-foot`,children:[(0,j.jsx)(`button`,{type:`button`,className:`button button-small`,onClick:n,children:T.edit.cancel}),(0,j.jsx)(`button`,{type:`submit`,className:`button button-small button-primary`,children:T.edit.save})]})]})}var An={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostActions_post`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null}],type:`Post`,abstractKey:null},jn=80;function Mn(e){let[t,n]=(0,E.useState)(!1),r=(0,E.useRef)(null),i=(0,E.useRef)(null),a=(0,E.useRef)(null);(0,E.useEffect)(()=>{if(!t)return;let e=a.current;e&&e.getBoundingClientRect().bottom>innerHeight-jn&&e.classList.add(`menu-up`),e?.querySelector(`[role=menuitem]`)?.focus({preventScroll:!0});let i=e=>{r.current?.contains(e.target)||n(!1)};return addEventListener(`pointerdown`,i),()=>removeEventListener(`pointerdown`,i)},[t]);let o=()=>{n(!1),i.current?.focus()};return(0,j.jsxs)(`div`,{ref:r,className:`menu-box`,children:[(0,j.jsx)(`button`,{ref:i,type:`button`,className:e.className??`icon-button`,"aria-haspopup":`menu`,"aria-expanded":t,"aria-label":e.label,onClick:()=>n(!t),children:e.children}),t&&(0,j.jsx)(`div`,{ref:a,className:`menu`,role:`menu`,"aria-label":e.label,tabIndex:-1,onKeyDown:e=>Nn(e,a.current,o),children:e.items.map(e=>(0,j.jsxs)(`button`,{type:`button`,role:`menuitem`,tabIndex:-1,className:e.danger?`menu-item menu-danger`:`menu-item`,onClick:()=>{o(),e.run()},children:[(0,j.jsx)(`span`,{children:e.label}),e.hint&&(0,j.jsx)(`small`,{children:e.hint})]},e.label))})]})}function Nn(e,t,n){let r=[...t?.querySelectorAll(`[role=menuitem]`)??[]],i=r.indexOf(document.activeElement),a={ArrowDown:i+1,ArrowUp:i-1,Home:0,End:r.length-1}[e.key];if(a!==void 0)r.at(a%r.length)?.focus();else if(e.key===`Escape`||e.key===`Tab`)n();else return;e.preventDefault(),e.stopPropagation()}function Pn({post:e}){let t=(0,D.useFragment)(An,e),{compose:n,signedIn:r,account:i}=y(),a=U(),o={name:t.author.name,handle:t.author.handle,text:t.text},{counters:s}=t;return(0,j.jsxs)(`div`,{className:`actions`,role:`group`,"aria-label":T.actions.group,children:[(0,j.jsxs)(`button`,{type:`button`,className:`action`,"data-action":`reply`,"aria-label":T.actions.reply(s.comments),onClick:()=>n({text:``,replyTo:t.id,about:o}),children:[(0,j.jsx)(M,{name:`reply`}),` `,(0,j.jsx)(In,{of:s.comments})]}),(0,j.jsxs)(Mn,{label:T.actions.repost(s.reposts),className:`action`,items:[{label:T.actions.repostNow,hint:T.actions.repostHint,run:()=>r(()=>void a(At({text:``,repostOf:t.id},Ft(),i?.id??null),T.actions.repostFailed))},{label:T.actions.quote,hint:T.actions.quoteHint,run:()=>n({text:``,repostOf:t.id,about:o})}],children:[(0,j.jsx)(M,{name:`repost`}),` `,(0,j.jsx)(In,{of:s.reposts})]}),(0,j.jsx)(Fn,{name:`like`,icon:`like`,label:T.actions.like(s.likes),on:t.viewerHasLiked,count:s.likes,onClick:()=>r(()=>void a(me(t),t.viewerHasLiked?T.actions.unlikeFailed:T.actions.likeFailed))}),(0,j.jsx)(Fn,{name:`favorite`,icon:`favorite`,label:T.actions.favorite(s.favorites),on:t.viewerHasFavorited,count:s.favorites,onClick:()=>r(()=>void a(_e(t),t.viewerHasFavorited?T.actions.unfavoriteFailed:T.actions.favoriteFailed))})]})}function Fn({name:e,icon:t,label:n,on:r,count:i,onClick:a}){return(0,j.jsxs)(`button`,{type:`button`,className:`action action-${e}`,"data-action":e,"aria-pressed":r,"aria-label":n,onClick:a,children:[(0,j.jsx)(M,{name:t,filled:r}),` `,(0,j.jsx)(In,{of:i})]})}function In({of:e}){return(0,j.jsx)(`span`,{className:`count`,children:e>0?d(e):``})}var Ln=(function(){var e={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},t=[e];return{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostMenu_post`,selections:[e,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{args:null,kind:`FragmentSpread`,name:`useRelations_user`}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:t,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:t,storageKey:null}],type:`Post`,abstractKey:null}})(),Rn={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`useRelations_user`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],type:`User`,abstractKey:null},zn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`followUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationFollowMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationFollowMutation`,selections:t},params:{cacheID:`d82025c4af432cf7dfdc84680b4d2ac9`,id:null,metadata:{},name:`relationFollowMutation`,operationKind:`mutation`,text:`mutation relationFollowMutation(
  $input: UserIdInput!
) {
  payload: followUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),Bn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unfollowUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnfollowMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnfollowMutation`,selections:t},params:{cacheID:`ba78124df60748a9a0aea5b3cf163f5c`,id:null,metadata:{},name:`relationUnfollowMutation`,operationKind:`mutation`,text:`mutation relationUnfollowMutation(
  $input: UserIdInput!
) {
  payload: unfollowUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),Vn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`muteUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationMuteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationMuteMutation`,selections:t},params:{cacheID:`359baa413f8d2557a9667bd9310b2704`,id:null,metadata:{},name:`relationMuteMutation`,operationKind:`mutation`,text:`mutation relationMuteMutation(
  $input: UserIdInput!
) {
  payload: muteUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),Hn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unmuteUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnmuteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnmuteMutation`,selections:t},params:{cacheID:`8b1c8b99a58e93446535564b835a07c0`,id:null,metadata:{},name:`relationUnmuteMutation`,operationKind:`mutation`,text:`mutation relationUnmuteMutation(
  $input: UserIdInput!
) {
  payload: unmuteUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),Un=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`hideFromUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationHideMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationHideMutation`,selections:t},params:{cacheID:`82c6b935c43f2ace1b8da2f7b38f813e`,id:null,metadata:{},name:`relationHideMutation`,operationKind:`mutation`,text:`mutation relationHideMutation(
  $input: UserIdInput!
) {
  payload: hideFromUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),Wn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unhideFromUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnhideMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnhideMutation`,selections:t},params:{cacheID:`89b60f9f69aabdcb2dee807c1a760671`,id:null,metadata:{},name:`relationUnhideMutation`,operationKind:`mutation`,text:`mutation relationUnhideMutation(
  $input: UserIdInput!
) {
  payload: unhideFromUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),Gn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`blockUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationBlockMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationBlockMutation`,selections:t},params:{cacheID:`ad4ede9c1d56aff8892d721c2da7b0d5`,id:null,metadata:{},name:`relationBlockMutation`,operationKind:`mutation`,text:`mutation relationBlockMutation(
  $input: UserIdInput!
) {
  payload: blockUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),Kn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unblockUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnblockMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnblockMutation`,selections:t},params:{cacheID:`1caa1bd1927fac962e99b7c4133148de`,id:null,metadata:{},name:`relationUnblockMutation`,operationKind:`mutation`,text:`mutation relationUnblockMutation(
  $input: UserIdInput!
) {
  payload: unblockUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),qn={follow:`viewerFollows`,mute:`viewerMutes`,hide:`viewerHidesFrom`,block:`viewerBlocks`},Jn={follow:[zn,Bn],mute:[Vn,Hn],hide:[Un,Wn],block:[Gn,Kn]};function Yn(e,t){let n=!t[qn[e]];return{mutation:Jn[e][+!n],variables:{input:{userId:t.id}},optimisticUpdater:r=>{let i=r.get(t.id);i?.setValue(n,qn[e]),e===`follow`&&i?.getLinkedRecord(`counters`)?.setValue(t.counters.followers+(n?1:-1),`followers`),Xn(e,n)&&Zn(r,t.id)},updater:r=>{e===`block`&&r.get(t.id)?.invalidateRecord(),Xn(e,n)?Zn(r,t.id):Qn(r)}}}function Xn(e,t){return e===`follow`?!t:e!==`hide`&&t}function Zn(e,t){let n=A(e),r=n?.getLinkedRecords(`edges`);if(!n||!r)return;let i=r.filter(e=>{let n=e?.getLinkedRecord(`node`);return![n,n?.getLinkedRecord(`repostOf`)].map(e=>e?.getLinkedRecord(`author`)?.getDataID()).includes(t)});n.setLinkedRecords(i,`edges`)}function Qn(e){e.get(O.ROOT_ID)?.getLinkedRecord(`viewer`)?.invalidateRecord()}var $n=[`follow`,`mute`,`hide`,`block`];function er(e){let t=(0,D.useFragment)(Rn,e),n=U(),r=N(),{handle:i}=t;return $n.map(e=>{let a=T.relations[e],o=t[qn[e]],s=o?a.off(i):a.on(i),c=async()=>{await n(Yn(e,t),T.relations.failed(s))&&r.show({tone:`good`,title:o?a.undone(i):a.done(i)})};return{relation:e,on:o,label:s,run:()=>void c(),...!o&&{hint:a.hint},...e===`block`&&!o&&{danger:!0}}})}function tr({post:e,own:t,alone:n,onEdit:r}){let i=(0,D.useFragment)(Ln,e),[a,o]=(0,E.useState)(!1),{signedIn:s}=y(),c=N(),l=U(),u=er(i.author),d=()=>{let e=new URL(Z(i.id),location.href).href;navigator.clipboard?.writeText(e).then(()=>c.show({tone:`good`,title:T.postMenu.copied}),()=>c.show({tone:`bad`,title:T.postMenu.copyFailed,text:e}))},f=async()=>{let e=ye({id:i.id,replyTo:i.replyTo?.id??null,repostOf:i.repostOf?.id??null});n&&ee(`/`),await l(e,T.postMenu.removeFailed)&&c.show({tone:`good`,title:T.postMenu.removed})},p=[...t?[{label:T.postMenu.edit,run:r},{label:T.postMenu.remove,danger:!0,run:()=>o(!0)}]:u.map(e=>({...e,run:()=>s(e.run)})),{label:T.postMenu.copyLink,run:d}];return(0,j.jsxs)(j.Fragment,{children:[(0,j.jsx)(Mn,{label:T.postMenu.label(i.author.handle),items:p,children:(0,j.jsx)(M,{name:`more`})}),a&&(0,j.jsx)(_t,{title:T.postMenu.removeTitle,text:T.postMenu.removeText,yes:T.postMenu.remove,onYes:()=>void f(),onClose:()=>o(!1)})]})}function nr(e){return e.text===``&&e.media.length===0?e.repostOf??null:null}function rr({post:e,position:t,total:n,alone:r=!1}){let i=(0,D.useFragment)(xn,e),{session:a}=V(),[o,s]=(0,E.useState)(!1),c=jt(i.id),l=a.user?.id===i.author.databaseId,u=()=>!r&&!c&&v(Z(i.id)),d=`${i.id}-author ${i.id}-text`;return(0,j.jsxs)(`article`,{className:`post${r?` post-alone`:``}${c?` post-pending`:``}`,tabIndex:0,"data-post":i.id,"aria-labelledby":d,"aria-posinset":t,"aria-setsize":n,"aria-busy":c,onClick:e=>ar(e)&&u(),onKeyDown:e=>e.key===`Enter`&&e.target===e.currentTarget&&u(),children:[(0,j.jsx)(w,{href:X(i.author.handle),className:`post-face`,tabIndex:-1,"aria-hidden":`true`,children:(0,j.jsx)(h,{user:i.author})}),(0,j.jsxs)(`div`,{className:`post-main`,children:[(0,j.jsx)(ir,{post:i,alone:r,pending:c}),(0,j.jsxs)(`div`,{id:`${i.id}-text`,children:[o?(0,j.jsx)(kn,{postId:i.id,text:i.text,onDone:()=>s(!1)}):(0,j.jsx)(sr,{of:i.text}),(0,j.jsx)(lr,{urls:i.media}),i.repostOf?(0,j.jsx)(or,{post:i.repostOf}):i.kind===`REPOST`&&(0,j.jsx)(cr,{})]}),!c&&(0,j.jsxs)(`footer`,{className:`post-foot`,children:[(0,j.jsx)(Pn,{post:nr(i)??i}),(0,j.jsx)(tr,{post:i,own:l,alone:r,onEdit:()=>s(!0)})]})]})]})}function ir({post:e,alone:t,pending:n}){let{author:r}=e;return(0,j.jsxs)(`header`,{className:`post-head`,children:[(0,j.jsxs)(`span`,{id:`${e.id}-author`,className:`post-by`,children:[(0,j.jsx)(w,{href:X(r.handle),className:`post-name`,dir:`auto`,children:r.name}),` `,(0,j.jsxs)(`span`,{className:`post-handle`,children:[`@`,r.handle]}),e.kind===`REPOST`&&(0,j.jsxs)(`span`,{className:`post-note`,children:[` `,(0,j.jsx)(M,{name:`repost`}),` `,T.post.reposted]})]}),(0,j.jsxs)(`span`,{className:`post-time`,children:[n?T.post.sending:(0,j.jsx)(w,{href:Z(e.id),className:`quiet-link`,children:(0,j.jsx)(g,{moment:e.publishedAt})}),e.editedAt&&(0,j.jsxs)(`span`,{title:T.post.editedAt(e.editedAt),children:[` · `,T.post.edited]})]}),e.replyTo&&!t&&(0,j.jsxs)(w,{href:Z(e.replyTo.id),className:`post-context quiet-link`,children:[(0,j.jsx)(M,{name:`reply`}),` `,T.post.replyingTo(e.replyTo.author.handle)]})]})}function ar(e){return!e.target.closest(`a, button, input, textarea, [role=menu], dialog`)&&!getSelection()?.toString()}function or({post:e}){let t=(0,D.useFragment)(Sn,e);return(0,j.jsxs)(`div`,{className:`quoted`,children:[(0,j.jsxs)(`p`,{className:`post-by`,children:[(0,j.jsx)(h,{user:t.author,size:`small`}),(0,j.jsx)(w,{href:X(t.author.handle),className:`post-name`,dir:`auto`,children:t.author.name}),` `,(0,j.jsxs)(`span`,{className:`post-handle`,children:[`@`,t.author.handle]}),(0,j.jsx)(w,{href:Z(t.id),className:`quiet-link post-time`,children:(0,j.jsx)(g,{moment:t.publishedAt})})]}),(0,j.jsx)(sr,{of:t.text}),(0,j.jsx)(lr,{urls:t.media})]})}function sr({of:e}){return e&&(0,j.jsx)(`p`,{className:`post-text`,dir:`auto`,children:(0,j.jsx)(On,{text:e})})}function cr(){return(0,j.jsx)(`p`,{className:`quoted quoted-gone`,children:T.post.unavailable})}function lr({urls:e}){return e.length?(0,j.jsx)(`ul`,{className:`media`,"aria-label":T.post.media,children:e.map((e,t)=>(0,j.jsx)(`li`,{children:(0,j.jsxs)(`a`,{href:e,target:`_blank`,rel:`noreferrer nofollow`,children:[(0,j.jsx)(M,{name:`picture`}),` `,(0,j.jsx)(`span`,{children:C(e)}),(0,j.jsx)(`span`,{className:`hidden`,children:T.post.opensElsewhere})]})},t))}):null}var ur=150;function dr(e){let{edges:t,hasNext:n,loadNext:r,loadingNext:i,above:a,line:o}=e,[s,c]=(0,E.useState)(null),[l]=(0,E.useState)(()=>{let n=un(m.get().key,e.label,ur);return a?.more&&t[0]&&(n.anchor??={key:t[0].node.id,offset:0}),n}),[u]=(0,E.useState)(()=>m.get().returned),d=()=>{!i&&n&&(c(null),r(20,{onComplete:c}))};return!t.length&&!n?e.empty:(0,j.jsxs)(j.Fragment,{children:[(0,j.jsx)(fn,{ref:e.ref,label:e.label,items:t,keyOf:e=>e.node.id,memory:l,returned:u,busy:i||(a?.loading??!1),moreAbove:a?.more??!1,onNearEnd:()=>s||d(),...a&&{onNearTop:()=>a.more&&a.load()},render:(e,r)=>(0,j.jsxs)(j.Fragment,{children:[o&&o.before===e.node.id&&r>0&&(0,j.jsx)(fr,{text:o.text}),(0,j.jsx)(rr,{post:e.node,position:r+1,total:n?-1:t.length})]})}),(0,j.jsx)(Ke,{loading:i,failure:s,hasMore:n,retry:d,end:e.end})]})}function fr({text:e}){return(0,j.jsxs)(`div`,{className:`tide-line`,role:`separator`,"aria-label":e,children:[(0,j.jsx)(`svg`,{viewBox:`0 0 600 14`,preserveAspectRatio:`none`,"aria-hidden":`true`,children:(0,j.jsx)(`path`,{d:`M0 7c12.5-8 25-8 37.5 0s25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0`})}),(0,j.jsx)(`span`,{"aria-hidden":`true`,children:e})]})}var pr=c({posts:[],counted:0});function mr(e,t,n){let r=(0,D.useRelayEnvironment)(),i=a(),{posts:o,counted:s}=l(i?.state??pr),c=(0,E.useMemo)(()=>{let n=e.map(e=>({...e.node,cursor:e.cursor,sortKey:e.sortKey}));return o.map(e=>({post:e,at:Ee(e,n,t)}))},[o,e,t]);(0,E.useEffect)(()=>{i?.setTop(t),n&&i?.count()},[i,t,n]),(0,E.useEffect)(()=>{let e=c.filter(({at:e})=>e!==`above`);if(e.length&&i){for(let{post:t,at:n}of e)hr(r,t,n);i.settle(new Set(e.map(({post:e})=>e.id)))}},[r,i,c]);let u=c.filter(({at:e})=>e===`above`).map(({post:e})=>e),d=[...new Map(u.reverse().map(({author:e})=>[e.databaseId,e])).values()];return{count:De(u.length,s),authors:d}}function hr(e,t,n){typeof n!=`string`&&(0,D.commitLocalUpdate)(e,e=>{let r=A(e),i=e.get(t.id);if(!r||!i)return;let a=O.ConnectionHandler.createEdge(e,r,i,`FeedEdge`);a.setValue(t.cursor,`cursor`),a.setValue(t.sortKey,`sortKey`),O.ConnectionHandler.insertEdgeBefore(r,a,n.before)})}function gr(e){let t=(0,E.useRef)(e);(0,E.useEffect)(()=>{t.current=e}),(0,E.useEffect)(()=>{let e=()=>{let e=_r(),n=t.current.findIndex(t=>t.node.id===e);tn(m.get().key,n>0?t.current[n-1]?.cursor??null:null)};return addEventListener(`pagehide`,e),()=>removeEventListener(`pagehide`,e)},[])}function _r(){return[...document.querySelectorAll(`.window-item`)].find(e=>e.getBoundingClientRect().bottom>0)?.dataset.key}var vr=60;function yr({viewer:e}){let t=(0,D.usePaginationFragment)(an,e),{edges:n,pageInfo:r}=t.data.homeFeed,i=(0,E.useMemo)(()=>n.filter(e=>e.node!=null),[n]),a=(0,E.useRef)(null),o=mr(i,r.startCursor??null,r.hasPreviousPage),{line:s,toNewest:c,busy:l}=br({pages:t,pageInfo:r,list:a,first:i[0]?.node.id??null,missing:o.count});gr(i),K(`.`,c),K(`j`,()=>a.current?.move(1)),K(`k`,()=>a.current?.move(-1));let{loadPrevious:u,isLoadingPrevious:d}=t,[f,p]=(0,E.useState)(!1),m=(0,E.useCallback)(()=>{d||f||u(20,{onComplete:e=>p(e!==null)})},[u,d,f]);return(0,j.jsxs)(j.Fragment,{children:[(0,j.jsx)(sn,{count:o.count,authors:o.authors,busy:l,onClick:c}),(0,j.jsx)(dr,{ref:a,label:T.home.feed,edges:i,hasNext:t.hasNext,loadNext:t.loadNext,loadingNext:t.isLoadingNext,above:{more:r.hasPreviousPage,loading:d,load:m},line:s?{before:s,text:T.home.newEndsHere}:null,end:T.home.end,empty:(0,j.jsxs)(L,{icon:`home`,title:T.home.empty,children:[(0,j.jsx)(`p`,{children:T.home.emptyHint}),(0,j.jsx)(w,{className:`button button-primary`,href:`/search`,children:T.app.findPeople})]})})]})}function br({pages:e,pageInfo:t,list:n,first:r,missing:i}){let o=(0,D.useRelayEnvironment)(),s=a(),c=N(),[l,u]=(0,E.useState)(null),[d,f]=(0,E.useState)(!1),{loadPrevious:p,isLoadingPrevious:m}=e,{hasPreviousPage:h,startCursor:g}=t,_=async()=>{if(d)return;f(!0);let e=s?.announced()??[];try{g&&!h&&!m&&i<=vr?await new Promise((e,t)=>p(100,{onComplete:n=>n?t(n):e()})):await(0,D.fetchQuery)(o,Ce,{first:20,after:null},{fetchPolicy:`network-only`}).toPromise(),s?.read(e),i>0&&u(r),n.current?.toTop()}catch(e){let t=F(e),{requestId:n,away:r}=t;c.show({tone:`bad`,title:T.home.newFailed,text:I(t),requestId:n,away:r,action:{label:T.messages.tryAgain,run:()=>void _()}})}finally{f(!1)}},v=(0,E.useRef)(_);return(0,E.useEffect)(()=>{v.current=_}),{line:l,busy:d,toNewest:(0,E.useCallback)(()=>void v.current(),[])}}function xr({attempt:e}){let[t]=(0,E.useState)(()=>m.get().key),n=e===0?nn(t):null,{viewer:r}=(0,D.useLazyLoadQuery)(Ce,{first:20,after:n},{fetchKey:e});return(0,j.jsxs)(j.Fragment,{children:[(0,j.jsx)(`h1`,{className:`hidden`,tabIndex:-1,children:T.navigation.home}),(0,j.jsx)(`div`,{className:`home-composer`,children:(0,j.jsx)(zt,{draft:{text:``}})}),r&&(0,j.jsx)(yr,{viewer:r})]})}var Sr=(function(){var e={defaultValue:null,kind:`LocalArgument`,name:`first`},t={defaultValue:null,kind:`LocalArgument`,name:`id`},n=[{kind:`Variable`,name:`id`,variableName:`id`}],r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},c={args:null,kind:`FragmentSpread`,name:`PostCard_post`},l=[{kind:`Variable`,name:`first`,variableName:`first`}],u={alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},d={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},f={alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},p={alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},m={alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},h={alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},g={alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null},_={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},v={alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},y={alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},b={alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},x={alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[r,o,s,_,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[d,a,i,r],storageKey:null},v,y,b],storageKey:null},S={alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},C={alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},ee={alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,d,a,i,f,p,m,h,g],storageKey:null},w={alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[a,i,r],storageKey:null}],storageKey:null};return{fragment:{argumentDefinitions:[e,t],kind:`Fragment`,metadata:null,name:`PostPageQuery`,selections:[{alias:null,args:n,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[{fragment:{kind:`InlineFragment`,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,a],storageKey:null},o,s,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[r],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,c],storageKey:null},c,{args:l,kind:`FragmentSpread`,name:`PostComments_post`}],type:`Post`,abstractKey:null},kind:`AliasedInlineFragmentSpread`,name:`post`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[t,e],kind:`Operation`,name:`PostPageQuery`,selections:[{alias:null,args:n,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[u,r,{kind:`InlineFragment`,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,a,r,d,f,p,m,h,g],storageKey:null},o,s,x,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,S,o,s,_,C,ee,w,x,v,y,b],storageKey:null},S,_,C,v,y,b,{alias:null,args:l,concreteType:`FeedConnection`,kind:`LinkedField`,name:`comments`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,S,o,s,_,C,ee,w,x,v,y,b,u],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:l,filters:null,handle:`connection`,key:`PostComments_comments`,kind:`LinkedHandle`,name:`comments`}],type:`Post`,abstractKey:null}],storageKey:null}]},params:{cacheID:`8dd372df168e8ce4bcedebedc017da20`,id:null,metadata:{},name:`PostPageQuery`,operationKind:`query`,text:`query PostPageQuery(
  $id: ID!
  $first: Int!
) {
  node(id: $id) {
    __typename
    ... on Post {
      id
      author {
        name
        handle
        id
      }
      text
      media
      repostOf {
        id
      }
      replyTo {
        id
        ...PostCard_post
      }
      ...PostCard_post
      ...PostComments_post_3ASum4
    }
    id
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
    ...PostActions_post
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostComments_post_3ASum4 on Post {
  comments(first: $first) {
    edges {
      cursor
      node {
        id
        ...PostCard_post
        __typename
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
  id
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
  }
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})();function Q({title:e,back:t=!1,children:n}){return(0,E.useEffect)(()=>{document.title=T.title(e)},[e]),(0,j.jsxs)(`header`,{className:`page-head`,children:[t&&(0,j.jsx)(`button`,{type:`button`,className:`icon-button`,"aria-label":T.app.back,onClick:()=>ee(`/`),children:(0,j.jsx)(M,{name:`back`})}),(0,j.jsx)(`h1`,{tabIndex:-1,children:e}),n]})}var Cr=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`id`}],t=[{kind:`Variable`,name:`id`,variableName:`id`}],n=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`first`,variableName:`first`}],r={alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},d={alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},f={alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},p={alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostCommentsPageQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[{args:n,kind:`FragmentSpread`,name:`PostComments_post`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostCommentsPageQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,i,{kind:`InlineFragment`,selections:[{alias:null,args:n,concreteType:`FeedConnection`,kind:`LinkedField`,name:`comments`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[i,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},a,o,s,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,c,l,u,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[i,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[l,u,i],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[i,a,o,s,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[c,l,u,i],storageKey:null},d,f,p],storageKey:null},d,f,p,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:n,filters:null,handle:`connection`,key:`PostComments_comments`,kind:`LinkedHandle`,name:`comments`}],type:`Post`,abstractKey:null}],storageKey:null}]},params:{cacheID:`f46468808719a43b3735098ff4b981ca`,id:null,metadata:{},name:`PostCommentsPageQuery`,operationKind:`query`,text:`query PostCommentsPageQuery(
  $after: String
  $first: Int
  $id: ID!
) {
  node(id: $id) {
    __typename
    ...PostComments_post_2HEEH6
    id
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
    ...PostActions_post
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostComments_post_2HEEH6 on Post {
  comments(first: $first, after: $after) {
    edges {
      cursor
      node {
        id
        ...PostCard_post
        __typename
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
  id
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
  }
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})(),wr=(function(){var e=[`comments`],t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{argumentDefinitions:[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`}],kind:`Fragment`,metadata:{connection:[{count:`first`,cursor:`after`,direction:`forward`,path:e}],refetch:{connection:{forward:{count:`first`,cursor:`after`},backward:null,path:e},fragmentPathInResult:[`node`],operation:Cr,identifierInfo:{identifierField:`id`,identifierQueryVariableName:`id`}}},name:`PostComments_post`,selections:[{alias:`comments`,args:null,concreteType:`FeedConnection`,kind:`LinkedField`,name:`__PostComments_comments_connection`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[t,{args:null,kind:`FragmentSpread`,name:`PostCard_post`},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},t],type:`Post`,abstractKey:null}})();function Tr({post:e}){let{data:t,hasNext:n,loadNext:r,isLoadingNext:i}=(0,D.usePaginationFragment)(wr,e);return(0,j.jsx)(`section`,{"aria-label":T.post.replies,children:(0,j.jsx)(dr,{label:T.post.repliesTo,edges:t.comments.edges.filter(e=>e.node!=null),hasNext:n,loadNext:r,loadingNext:i,empty:(0,j.jsx)(`p`,{className:`list-end`,children:T.post.noReplies}),end:T.post.noMoreReplies})})}function Er({id:e,attempt:t}){let{node:n}=(0,D.useLazyLoadQuery)(Sr,{id:e,first:20},{fetchKey:t,fetchPolicy:`store-and-network`}),{session:r}=V(),i=n?.post;if(!i)return(0,j.jsxs)(j.Fragment,{children:[(0,j.jsx)(Q,{title:T.post.title,back:!0}),(0,j.jsx)(L,{icon:`reply`,title:T.post.notFound,children:(0,j.jsx)(`p`,{children:T.post.notFoundHint})})]});let a=nr(i);return a?(0,j.jsx)(Er,{id:a.id,attempt:t}):(0,j.jsxs)(j.Fragment,{children:[(0,j.jsx)(Q,{title:T.post.titleBy(i.author.name),back:!0}),i.replyTo&&(0,j.jsx)(`div`,{className:`thread-parent`,children:(0,j.jsx)(rr,{post:i.replyTo})}),(0,j.jsx)(rr,{post:i,alone:!0}),r.user&&(0,j.jsx)(`div`,{className:`home-composer`,children:(0,j.jsx)(zt,{draft:{text:``,replyTo:i.id}},i.id)}),(0,j.jsx)(Tr,{post:i})]})}function Dr({label:e=T.server.developers}){return(0,j.jsxs)(`nav`,{className:`server-links`,"aria-label":e,children:[(0,j.jsx)(`a`,{href:`/graphiql`,children:T.server.graphiql}),(0,j.jsx)(`a`,{href:`/schema.graphql`,children:T.server.schema}),(0,j.jsx)(`a`,{href:`/tasks`,children:T.server.tasks}),(0,j.jsx)(`a`,{href:`/healthz`,children:T.server.health})]})}function Or(){return(0,E.useEffect)(()=>{document.title=T.app.name},[]),(0,j.jsxs)(`div`,{className:`welcome`,children:[(0,j.jsxs)(`div`,{className:`welcome-words`,children:[(0,j.jsx)(je,{}),(0,j.jsx)(`h1`,{tabIndex:-1,children:T.app.name}),(0,j.jsx)(`p`,{className:`lead`,children:T.signIn.lead}),(0,j.jsx)(Dr,{})]}),(0,j.jsx)(Vt,{}),(0,j.jsx)(kr,{})]})}function kr(){return(0,j.jsxs)(`svg`,{className:`sea`,viewBox:`0 0 1200 220`,preserveAspectRatio:`none`,"aria-hidden":`true`,focusable:`false`,children:[(0,j.jsx)(`path`,{d:`M0 70c100-60 200-60 300 0s200 60 300 0 200-60 300 0 200 60 300 0v150H0Z`}),(0,j.jsx)(`path`,{d:`M0 120c75-44 150-44 225 0s150 44 225 0 150-44 225 0 150 44 225 0 150-44 300 0v100H0Z`}),(0,j.jsx)(`path`,{d:`M0 165c120-38 240-38 360 0s240 38 360 0 240-38 480 0v55H0Z`})]})}var Ar=class extends E.Component{state={failed:!1};static getDerivedStateFromError(){return{failed:!0}}render(){return this.state.failed?null:this.props.children}},jr=0,Mr=[],Nr=[];function $(e){let t=null,n=!1,r=async()=>{let t=jr;try{return await e()}catch{if(t!==jr)return r();throw n=!0,new P(`UNREACHABLE`,`the page cannot be loaded`)}},i=()=>t??=r();return Mr.push(()=>{n&&=(t=null,!1)}),Nr.push(()=>void i().catch(()=>void 0)),function(e){let t=(0,E.use)(i()).default;return(0,j.jsx)(t,{...e})}}var Pr=$(()=>z(()=>import(`./client-ProfilePage-430f5210.js`),__vite__mapDeps([0,1,2,3,4,5,6,7,8]))),Fr=$(()=>z(()=>import(`./client-SearchPage-6fa716c5.js`),__vite__mapDeps([9,1,2,8,4,7]))),Ir=$(()=>z(()=>import(`./client-LivePage-fb1795be.js`),__vite__mapDeps([10,1,2,11,5,6,7]))),Lr=$(()=>z(()=>import(`./client-LiveNow-9a39f4af.js`),__vite__mapDeps([12,1,2,6,3,11]))),Rr=$(()=>z(()=>import(`./client-SettingsPage-767b4700.js`),__vite__mapDeps([13,1,2,4,7])));function zr(){jr++;for(let e of Mr)e()}function Br(){for(let e of Nr)e()}function Vr({route:e}){let{session:t}=V(),[n,r]=(0,E.useState)(``);return(0,j.jsxs)(`aside`,{className:`aside`,"aria-label":T.app.sidebar,children:[e.name!==`search`&&(0,j.jsxs)(`form`,{className:`search`,role:`search`,"aria-label":T.app.people,onSubmit:e=>{e.preventDefault(),v(Tn(n.trim()))},children:[(0,j.jsx)(M,{name:`search`}),(0,j.jsx)(`input`,{type:`search`,dir:`auto`,"aria-label":T.app.findPeople,placeholder:T.app.findPeople,maxLength:100,value:n,onChange:e=>r(e.target.value)})]}),t.user&&e.name!==`live`&&(0,j.jsx)(Ar,{children:(0,j.jsx)(E.Suspense,{children:(0,j.jsx)(Lr,{})})}),(0,j.jsx)(Dr,{}),(0,j.jsx)(`p`,{className:`hint`,children:T.app.shortcutsHint})]})}var Hr=c({posts:[],counted:0});function Ur({route:e}){let{session:t}=V(),{compose:n,account:r}=y(),{posts:i,counted:o}=l(a()?.state??Hr),s=e.name!==`home`&&De(i.length,o)>0,c=r?.handle??t.user?.handle,u=t=>e.name===t,d=[{name:`home`,label:T.navigation.home,icon:`home`,href:`/`,here:u(`home`)},{name:`search`,label:T.navigation.search,icon:`search`,href:`/search`,here:u(`search`)},{name:`live`,label:T.navigation.live,icon:`live`,href:`/live`,here:u(`live`)},...c?[{name:`profile`,label:T.navigation.profile,icon:`person`,href:X(c),here:e.name===`profile`&&e.handle===c}]:[],{name:`settings`,label:T.navigation.settings,icon:`settings`,href:`/settings`,here:u(`settings`)}];return(0,j.jsxs)(`header`,{className:`side`,children:[(0,j.jsxs)(w,{href:`/`,className:`brand`,"aria-label":T.navigation.homeLink,children:[(0,j.jsx)(je,{}),(0,j.jsx)(`span`,{children:T.app.name})]}),(0,j.jsx)(`nav`,{className:`ways`,"aria-label":T.navigation.main,children:d.map(e=>(0,j.jsxs)(w,{href:e.href,className:`way`,"aria-current":e.here?`page`:void 0,children:[(0,j.jsx)(M,{name:e.icon,filled:!1}),(0,j.jsx)(`span`,{children:e.label}),e.name===`home`&&s&&(0,j.jsx)(`span`,{className:`dot`,children:(0,j.jsx)(`span`,{className:`hidden`,children:T.navigation.newPosts})})]},e.name))}),t.user?(0,j.jsxs)(`button`,{type:`button`,className:`button button-primary side-compose`,onClick:()=>n({text:``}),children:[(0,j.jsx)(M,{name:`compose`}),` `,(0,j.jsx)(`span`,{children:T.navigation.newPost})]}):(0,j.jsxs)(w,{href:`/`,className:`button button-primary side-compose`,children:[(0,j.jsx)(M,{name:`key`}),` `,(0,j.jsx)(`span`,{children:T.navigation.signIn})]})]})}function Wr(){let{reachable:e,limitedUntil:t}=l(u().status);return(0,j.jsxs)(`div`,{className:`status-place`,role:`status`,children:[!e&&(0,j.jsxs)(`p`,{className:`status-bar`,children:[(0,j.jsx)(M,{name:`offline`}),` `,navigator.onLine?T.status.unreachable:T.status.offline,` `,T.status.stale]}),e&&t>0&&(0,j.jsx)(Gr,{until:t})]})}function Gr({until:e}){let t=Math.ceil((e-p(`second`))/1e3)*1e3;return t<=0?null:(0,j.jsxs)(`p`,{className:`status-bar`,children:[(0,j.jsx)(M,{name:`clock`}),` `,T.status.limited(t)]})}var Kr=new Set([`home`,`profile`,`post`]);function qr(){let e=l(m),{session:t}=V(),{compose:n}=y(),r=wn(e.path,e.search),i=Xr(e),a=r.name===`home`&&(!t.user||pt(e.search,location.href)!==null);return(0,j.jsxs)(`div`,{className:a?`shell shell-welcome`:`shell`,children:[(0,j.jsx)(`a`,{className:`skip`,href:`#main`,children:T.app.skip}),(0,j.jsx)(Wr,{}),!a&&(0,j.jsx)(Ur,{route:r}),(0,j.jsx)(`main`,{id:`main`,ref:i,tabIndex:-1,children:(0,j.jsx)(Ge,{onRetry:zr,children:t=>(0,j.jsx)(E.Suspense,{fallback:(0,j.jsx)(R,{label:T.app.loadingPage}),children:a?(0,j.jsx)(Or,{}):(0,j.jsx)(Jr,{route:r,attempt:t},e.key)})},e.path)}),!a&&(0,j.jsx)(Vr,{route:r}),!a&&t.user&&Kr.has(r.name)&&(0,j.jsx)(`button`,{type:`button`,className:`compose-button`,"aria-label":T.app.writePost,onClick:()=>n({text:``}),children:(0,j.jsx)(M,{name:`compose`})})]})}function Jr({route:e,attempt:t}){switch(e.name){case`home`:return(0,j.jsx)(xr,{attempt:t});case`profile`:return(0,j.jsx)(Pr,{handle:e.handle,tab:e.tab,attempt:t});case`post`:return(0,j.jsx)(Er,{id:e.id,attempt:t});case`live`:return(0,j.jsx)(Yr,{children:(0,j.jsx)(Ir,{attempt:t})});case`search`:return(0,j.jsx)(Fr,{query:e.query});case`settings`:return(0,j.jsx)(Rr,{attempt:t});case`lost`:return(0,j.jsxs)(j.Fragment,{children:[(0,j.jsx)(Q,{title:T.app.notFoundTitle}),(0,j.jsx)(L,{icon:`search`,title:T.app.notFound,children:(0,j.jsx)(w,{className:`button`,href:`/`,children:T.app.goHome})})]})}}function Yr({children:e}){let{session:t,expired:n}=V();return t.user?e:(0,j.jsxs)(L,{icon:`key`,title:n?T.signIn.expired:T.app.signInForLive,children:[(0,j.jsx)(`p`,{children:T.app.livePrivate}),(0,j.jsx)(w,{className:`button button-primary`,href:`/`,children:T.navigation.signIn})]})}function Xr(e){let t=(0,E.useRef)(null),n=(0,E.useRef)(!0);return(0,E.useEffect)(()=>{n.current?n.current=!1:e.returned||(scrollTo({top:0,behavior:`instant`}),t.current?.contains(document.activeElement)||t.current?.focus({preventScroll:!0}))},[e.key,e.returned]),t}function Zr({connection:e}){let[t,n]=(0,E.useState)(null),[r,i]=(0,E.useState)(null),[a,o]=(0,E.useState)(!1),s=(0,E.useCallback)(e=>{lt().then(t=>{i(null),n(t),o(e&&!t.user)},e=>i(e))},[]),c=(0,E.useCallback)(()=>s(!1),[s]);(0,E.useEffect)(c,[c]);let l=(0,E.useMemo)(()=>t&&{session:t,expired:a,change:e=>{o(!1),n(e)}},[t,a]);return(0,j.jsx)(te,{value:e,children:(0,j.jsxs)(Fe,{children:[r!==null&&!l&&(0,j.jsx)(`main`,{className:`lone`,children:(0,j.jsx)(Ve,{error:r,retry:c})}),r===null&&!l&&(0,j.jsx)(`main`,{className:`lone`,children:(0,j.jsx)(R,{label:T.app.loading})}),l&&(0,j.jsx)(ht,{value:l,children:(0,j.jsx)(Qr,{connection:e,user:l.session.user?.id??null,signedOut:()=>s(l.session.user!==null)},l.session.user?.id??``)})]})})}function Qr({connection:e,user:t,signedOut:n}){let[{environment:r,news:i,socket:a}]=(0,E.useState)(()=>{let r=new at(`/graphql`),i=$e(e,r,{known:t!==null,signedOut:n});return{environment:i,socket:r,news:t===null?null:new ke(i,r)}});return(0,E.useEffect)(()=>i?.start(),[i]),(0,j.jsx)(D.RelayEnvironmentProvider,{environment:r,children:(0,j.jsx)(o,{value:a,children:(0,j.jsx)(s,{value:i,children:(0,j.jsx)(Yt,{children:(0,j.jsx)(qr,{})})})})})}var $r=[`system`,`light`,`dark`],ei=`tideline-theme`;function ti(){let e=localStorage.getItem(ei);return $r.find(t=>t===e)??`system`}function ni(e){e===`system`?(localStorage.removeItem(ei),delete document.documentElement.dataset.theme):(localStorage.setItem(ei,e),document.documentElement.dataset.theme=e)}var ri=1e3,ii=3e4,ai=class{healthUrl;status=c({reachable:!0,limitedUntil:0});#e;#t=ri;#n=0;constructor(e){this.healthUrl=e,addEventListener(`offline`,()=>this.lost()),addEventListener(`online`,()=>void this.#i()),navigator.onLine||this.lost()}asked(){let e=this.#n;return()=>{e===this.#n&&this.#r()}}#r(){clearTimeout(this.#e),this.#e=void 0,this.#t=ri,this.status.get().reachable||this.status.set({...this.status.get(),reachable:!0})}lost(){this.status.get().reachable&&(this.#n++,this.status.set({...this.status.get(),reachable:!1})),this.#e??=setTimeout(()=>void this.#i(),this.#t)}limited(e){this.status.set({...this.status.get(),limitedUntil:Date.now()+Math.max(1,e)*1e3})}async#i(){clearTimeout(this.#e),this.#e=void 0;let e=this.asked();try{await fetch(this.healthUrl,{cache:`no-store`}),e()}catch{this.#t=Math.min(this.#t*2,ii),this.lost()}}},oi=2e3;ni(ti()),S(),addEventListener(`hashchange`,()=>{ut(location.hash)!==null&&location.reload()});var si=document.getElementById(`client`),ci=e=>{e instanceof P||console.error(e)},li=new ai(`/healthz`);li.status.subscribe(()=>{li.status.get().reachable&&(zr(),Br())}),si&&(0,ne.createRoot)(si,{onCaughtError:ci}).render((0,j.jsx)(Zr,{connection:li})),setTimeout(Br,oi);export{F as C,we as D,M as E,Se as O,R as S,N as T,ft as _,Q as a,L as b,Mn as c,Tn as d,Kt as f,H as g,U as h,Dr as i,Cn as l,vt as m,ni as n,dr as o,Ot as p,ti as r,er as s,$r as t,X as u,V as v,I as w,Ke as x,Ge as y};