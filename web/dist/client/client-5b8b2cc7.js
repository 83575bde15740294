const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["client-ProfilePage-b212cdc2.js","client-libraries-df66e8dc.js","client-PageHead-31b1a8c5.js","client-PersonRow-2fccb40b.js","client-LiveList-fad8cbf2.js","client-pages-44ae3814.js","client-PeopleList-aeda4114.js","client-SearchPage-017c48e0.js","client-LivePage-aaa90aef.js","client-SettingsPage-67397f6c.js"])))=>i.map(i=>d[i]);
import{a as e,i as t,n,r,t as i}from"./client-libraries-df66e8dc.js";import{$ as a,A as o,B as s,C as c,D as l,E as u,F as d,H as f,I as p,J as m,L as h,M as g,N as _,P as v,Q as y,R as b,S as x,T as S,U as C,V as ee,W as w,X as T,Z as te,_ as ne,a as E,at as D,b as re,c as ie,d as O,et as ae,g as oe,h as se,i as k,it as A,j,k as M,l as ce,m as le,nt as N,o as ue,p as P,r as de,rt as fe,s as F,t as pe,tt as me,u as I,v as L,w as he,x as ge,z as _e}from"./client-PageHead-31b1a8c5.js";var R=e(),ve=t(),z=n(),B=r(),ye=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`since`}],t=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:[{kind:`Literal`,name:`first`,value:0}],concreteType:`FeedConnection`,kind:`LinkedField`,name:`homeFeed`,plural:!1,selections:[{alias:null,args:[{kind:`Variable`,name:`since`,variableName:`since`}],kind:`ScalarField`,name:`newCount`,storageKey:null}],storageKey:`homeFeed(first:0)`}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`newsCountQuery`,selections:t,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`newsCountQuery`,selections:t},params:{cacheID:`0954bfc113187bf34c3c449b98d24d4d`,id:null,metadata:{},name:`newsCountQuery`,operationKind:`query`,text:`query newsCountQuery(
  $since: String!
) {
  viewer {
    homeFeed(first: 0) {
      newCount(since: $since)
    }
  }
}
`}}})(),be=(function(){var e=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:[{kind:`Literal`,name:`first`,value:0}],concreteType:`FeedConnection`,kind:`LinkedField`,name:`homeFeed`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`syncToken`,storageKey:null}],storageKey:`homeFeed(first:0)`}],storageKey:null}];return{fragment:{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`newsTokenQuery`,selections:e,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[],kind:`Operation`,name:`newsTokenQuery`,selections:e},params:{cacheID:`d7dd6cf72d82688cfe8dcb09c785db29`,id:null,metadata:{},name:`newsTokenQuery`,operationKind:`query`,text:`query newsTokenQuery {
  viewer {
    homeFeed(first: 0) {
      syncToken
    }
  }
}
`}}})(),xe=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`since`}],t=[{kind:`Variable`,name:`since`,variableName:`since`}],n={alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`postId`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`syncToken`,storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},d={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},f={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},p={alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},m={alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},h={alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`newsHomeChangesSubscription`,selections:[{alias:null,args:t,concreteType:`HomeChangePage`,kind:`LinkedField`,name:`homeChanges`,plural:!1,selections:[{alias:null,args:null,concreteType:`HomeChange`,kind:`LinkedField`,name:`changes`,plural:!0,selections:[n,r,{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edge`,plural:!1,selections:[i,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[a,o,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[s,c],storageKey:null},{args:null,kind:`FragmentSpread`,name:`PostCard_post`}],storageKey:null}],storageKey:null}],storageKey:null},l],storageKey:null}],type:`Subscription`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`newsHomeChangesSubscription`,selections:[{alias:null,args:t,concreteType:`HomeChangePage`,kind:`LinkedField`,name:`homeChanges`,plural:!1,selections:[{alias:null,args:null,concreteType:`HomeChange`,kind:`LinkedField`,name:`changes`,plural:!0,selections:[n,r,{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edge`,plural:!1,selections:[i,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[a,o,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[s,c,a,u,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},n,d,f,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[a,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[u,c,a],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[a,d,f,o,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[s,u,c,a],storageKey:null},p,m,h],storageKey:null},p,m,h],storageKey:null}],storageKey:null}],storageKey:null},l],storageKey:null}]},params:{cacheID:`afe91e6c52b6051e38dc5517ee528ca3`,id:null,metadata:{},name:`newsHomeChangesSubscription`,operationKind:`subscription`,text:`subscription newsHomeChangesSubscription(
  $since: String!
) {
  homeChanges(since: $since) {
    changes {
      kind
      postId
      edge {
        cursor
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
`}}})(),Se=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`likePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsLikeMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsLikeMutation`,selections:t},params:{cacheID:`5f5c16897aa502258d9192176fa5470e`,id:null,metadata:{},name:`PostMutationsLikeMutation`,operationKind:`mutation`,text:`mutation PostMutationsLikeMutation(
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
`}}})(),Ce=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`unlikePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsUnlikeMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsUnlikeMutation`,selections:t},params:{cacheID:`a451dbb9d5cac0527fe1a56f120c37ed`,id:null,metadata:{},name:`PostMutationsUnlikeMutation`,operationKind:`mutation`,text:`mutation PostMutationsUnlikeMutation(
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
`}}})(),we=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`favoritePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsFavoriteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsFavoriteMutation`,selections:t},params:{cacheID:`cf604bd18f55b96dd44381b269b047b1`,id:null,metadata:{},name:`PostMutationsFavoriteMutation`,operationKind:`mutation`,text:`mutation PostMutationsFavoriteMutation(
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
`}}})(),Te=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`unfavoritePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsUnfavoriteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsUnfavoriteMutation`,selections:t},params:{cacheID:`c7aac1c2d4db3acc4a72d6baca54d838`,id:null,metadata:{},name:`PostMutationsUnfavoriteMutation`,operationKind:`mutation`,text:`mutation PostMutationsUnfavoriteMutation(
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
`}}})(),Ee=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:null,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`EditPostPayload`,kind:`LinkedField`,name:`editPost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsEditMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsEditMutation`,selections:t},params:{cacheID:`973476de504462afe3e18d27c943e77e`,id:null,metadata:{},name:`PostMutationsEditMutation`,operationKind:`mutation`,text:`mutation PostMutationsEditMutation(
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
`}}})(),De=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:null,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`DeletePostPayload`,kind:`LinkedField`,name:`deletePost`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`deletedPostId`,storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsDeleteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsDeleteMutation`,selections:t},params:{cacheID:`850bb52c5c5cf07c4e6fce9ad4d87db2`,id:null,metadata:{},name:`PostMutationsDeleteMutation`,operationKind:`mutation`,text:`mutation PostMutationsDeleteMutation(
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
`}}})(),Oe=Se,ke=Ce;function Ae({id:e,viewerHasLiked:t,counters:n}){let r=!t,i={id:e,viewerHasLiked:r,counters:{likes:n.likes+(r?1:-1)}};return{mutation:r?Oe:ke,variables:{input:{postId:e}},optimisticResponse:{payload:{post:i,userErrors:[]}}}}var je=we,Me=Te;function Ne({id:e,viewerHasFavorited:t,counters:n}){let r=!t,i={id:e,viewerHasFavorited:r,counters:{favorites:n.favorites+(r?1:-1)}};return{mutation:r?je:Me,variables:{input:{postId:e}},optimisticResponse:{payload:{post:i,userErrors:[]}}}}function Pe(e,t,n){return{mutation:Ee,variables:{input:{postId:e,text:t}},optimisticResponse:{editPost:{post:{id:e,text:t,editedAt:n},userErrors:[]}}}}function Fe(e){let t=t=>{t.delete(e.id),e.replyTo&&V(t,e.replyTo,`comments`,-1),e.repostOf&&V(t,e.repostOf,`reposts`,-1)};return{mutation:De,variables:{input:{postId:e.id}},optimisticUpdater:t,updater:t}}function V(e,t,n,r){let i=e.get(t)?.getLinkedRecord(`counters`),a=i?.getValue(n);typeof a==`number`&&i?.setValue(Math.max(0,a+r),n)}var Ie=`HomeTimeline_homeFeed`;function H(e){let t=e.get(B.ROOT_ID)?.getLinkedRecord(`viewer`);return t?B.ConnectionHandler.getConnection(t,Ie):void 0}function U(e,t=Math.random()){let n=Math.min(3e4,500*2**Math.min(e,10));return n/2+n/2*t}var Le=(function(){var e={defaultValue:null,kind:`LocalArgument`,name:`after`},t={defaultValue:null,kind:`LocalArgument`,name:`first`},n=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`first`,variableName:`first`}],r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},u={alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},d={alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},f={alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null};return{fragment:{argumentDefinitions:[e,t],kind:`Fragment`,metadata:null,name:`homeQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{args:n,kind:`FragmentSpread`,name:`HomeTimeline_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[t,e],kind:`Operation`,name:`homeQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:n,concreteType:`FeedConnection`,kind:`LinkedField`,name:`homeFeed`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,i,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},a,o,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,s,c,l,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[c,l,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[r,a,o,i,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[s,c,l,r],storageKey:null},u,d,f],storageKey:null},u,d,f,{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`startCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasPreviousPage`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`syncToken`,storageKey:null}],storageKey:null},{alias:null,args:n,filters:null,handle:`connection`,key:`HomeTimeline_homeFeed`,kind:`LinkedHandle`,name:`homeFeed`}],storageKey:null}]},params:{cacheID:`d5c10d9e788b192349a6a2337ade5184`,id:null,metadata:{},name:`homeQuery`,operationKind:`query`,text:`query homeQuery(
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
`}}})();function Re(e,t){if(e.publishedAt!==t.publishedAt)return e.publishedAt>t.publishedAt?-1:1;let[n,r]=[ze(e.cursor),ze(t.cursor)];return n===r?0:n>r?-1:1}function ze(e){return atob((e??``).replace(/-/g,`+`).replace(/_/g,`/`)).slice(11,19)}function Be(e,t,n){if(t.some(t=>t.id===e.id))return`shown`;let r=t.findIndex(e=>e.cursor!==null&&e.cursor===n),i=t[Math.max(r,0)];if(!i||Re(e,i)<0)return`above`;let a=t.slice(Math.max(r,0)).find(t=>t.cursor!==null&&Re(e,t)<0);return a?.cursor?{before:a.cursor}:`below`}function Ve(e,t){return Math.max(e,t)}var He={posts:[],counted:0},Ue=class{environment;socket;state=A(He);#e=null;#t=null;#n=null;#r=null;#i=new Set;#a=0;#o=!1;#s=!1;constructor(e,t){this.environment=e,this.socket=t}start(){return this.#s=!0,this.socket.onOpen=()=>{this.#o&&this.#d(),this.#o=!0},this.#u(),()=>{this.#s=!1,this.#r?.dispose(),this.#r=null;for(let e of this.#i)clearTimeout(e);this.socket.close()}}setTop(e){this.#c(),e!==this.#e&&(this.#e=e,this.state.set({...this.state.get(),counted:0}))}announced(){return this.state.get().posts.map(e=>e.id)}read(e){this.#c(),this.settle(new Set(e)),this.state.set({...this.state.get(),counted:0})}settle(e){let{posts:t,counted:n}=this.state.get();this.state.set({posts:t.filter(t=>!e.has(t.id)),counted:n})}async count(){let e=this.#e;if(e===null)return;let t=(await(0,B.fetchQuery)(this.environment,ye,{since:e},{fetchPolicy:`network-only`}).toPromise().catch(()=>null))?.viewer?.homeFeed.newCount;t!==void 0&&e===this.#e&&this.state.set({...this.state.get(),counted:t})}#c(){let e=this.#l();e!==null&&e!==this.#t&&(this.#t=this.#n=e,this.#d())}#l(){let e=null;return(0,B.commitLocalUpdate)(this.environment,t=>{e=t.get(B.ROOT_ID)?.getLinkedRecord(`viewer`)?.getLinkedRecord(`homeFeed`,{first:20})?.getValue(`syncToken`)}),typeof e==`string`?e:null}async#u(){if(this.#n===null){let e=await(0,B.fetchQuery)(this.environment,be,{},{fetchPolicy:`network-only`}).toPromise().catch(()=>null);if(this.#n??=e?.viewer?.homeFeed.syncToken??null,this.#n===null)return this.#g()}this.#r||this.#d()}#d(){this.#r?.dispose(),this.#r=null,this.#s&&this.#n!==null&&(this.#r=(0,B.requestSubscription)(this.environment,{subscription:xe,variables:{since:this.#n},onNext:e=>e&&this.#f(e.homeChanges),onError:()=>this.#g(),onCompleted:()=>this.#g()}))}#f({changes:e,syncToken:t}){this.#a=0,this.#n=t;for(let{kind:t,postId:n,edge:r}of e)t===`RESET`?this.#h():t===`REMOVED`&&n?this.#m(n):r&&(t===`ADDED`||this.announced().includes(r.node.id))&&this.#p({...r.node,cursor:r.cursor})}#p(e){let{posts:t,counted:n}=this.state.get();t.some(t=>t.id===e.id)||this.state.set({posts:[...t,e].slice(-100),counted:t.length<100?n&&Math.min(n+1,100):100})}#m(e){this.settle(new Set([e])),(0,B.commitLocalUpdate)(this.environment,t=>{let n=H(t);n&&B.ConnectionHandler.deleteNode(n,e)})}async#h(){this.state.set(He),await(0,B.fetchQuery)(this.environment,Le,{first:20,after:null},{fetchPolicy:`network-only`}).toPromise().catch(()=>null),this.#c()}#g(){this.#s&&this.#_(U(this.#a++),()=>this.#n===null?void this.#u():this.#d())}#_(e,t){let n=setTimeout(()=>{this.#i.delete(n),t()},e);this.#i.add(n)}},We=2,Ge=e=>new Promise(t=>setTimeout(t,e));function Ke(e,t,n,r){let i=async(n,i)=>{let a=t.status.get().limitedUntil-Date.now();if(a>0)throw new h(`RATE_LIMITED`,`the server asked for a pause`,null,Math.ceil(a/1e3));let o=t.asked(),s=await Je(e,{query:n.text,variables:i}).catch(()=>null);if(!s)throw t.lost(),new h(`UNREACHABLE`,`the server does not answer`);o();let c=await s.json().catch(()=>null),l=_e(s.status,c,e=>s.headers.get(e))??qe(c,r);if(!l)return c;throw l.code===`RATE_LIMITED`&&t.limited(l.retryAfter),l.code===`UNAUTHENTICATED`&&r.signedOut(),l};return B.Network.create(async(e,t)=>{for(let n=0;;n++)try{return await i(e,t)}catch(t){if(!(e.operationKind===`query`&&t instanceof h&&t.code===`UNAVAILABLE`)||n===We)throw t;await Ge(Math.max(U(n),t.retryAfter*1e3))}},(e,t)=>B.Observable.create(i=>n.subscribe({query:e.text??``,variables:t},{next:i.next,complete:i.complete,error(e){e instanceof h&&e.code===`UNAUTHENTICATED`&&r.signedOut(),i.error(e)}})))}function qe(e,t){let n=e.data;return!t.known||n?.viewer!==null?null:new h(`UNAUTHENTICATED`,`the session is over`)}function Je(e,t){return fetch(e,{method:`POST`,headers:{"Content-Type":`application/json`,Accept:`application/graphql-response+json, application/json;q=0.5`},body:JSON.stringify(t)})}var Ye=20;function Xe(e,t,n){return new B.Environment({network:Ke(`/graphql`,e,t,n),store:new B.Store(new B.RecordSource,{gcReleaseBufferSize:Ye})})}var Ze=(function(){let e=typeof document<`u`&&document.createElement(`link`).relList;return e&&e.supports&&e.supports(`modulepreload`)?`modulepreload`:`preload`})(),Qe=function(e){return`/assets/`+e},$e={},et=function(e){return e.pathname.endsWith(`.css`)},tt=function(e,t,n){if(t in e)return e[t];let r=n();if(!r){e[t]=void 0;return}let i=r.then(()=>{e[t]=void 0},n=>{throw e[t]=void 0,n});return e[t]=i,i},W=function(e,t,n){let r=Promise.resolve();if(t&&t.length>0){let e,i=document.querySelector(`meta[property=csp-nonce]`),a=i?.nonce||i?.getAttribute(`nonce`);function o(e){return Promise.all(e.map(e=>Promise.resolve(e).then(e=>({status:`fulfilled`,value:e}),e=>({status:`rejected`,reason:e}))))}function s(e){return import.meta.resolve?new URL(import.meta.resolve(e)):new URL(e,import.meta.url)}r=o(t.map(t=>{t=Qe(t,n);let r=s(t),i=et(r);return tt($e,r.href,()=>{if(e===void 0){e={all:new Set,styles:new Set};let t=document.getElementsByTagName(`link`);for(let n=t.length-1;n>=0;n--){let r=t[n];e.all.add(r.href),r.rel===`stylesheet`&&e.styles.add(r.href)}}if((i?e.styles:e.all).has(r.href))return;let t=document.createElement(`link`);if(t.rel=i?`stylesheet`:Ze,i||(t.as=`script`),t.crossOrigin=``,t.href=r.href,a&&t.setAttribute(`nonce`,a),document.head.appendChild(t),i)return new Promise((e,n)=>{let i=a=>{t.removeEventListener(`load`,i),t.removeEventListener(`error`,i),a.type===`error`?n(Error(`Unable to preload CSS for ${r}`)):e(a)};t.addEventListener(`load`,i),t.addEventListener(`error`,i)})})}).filter(e=>e!==void 0))}function i(e){let t=new Event(`vite:preloadError`,{cancelable:!0});if(t.payload=e,window.dispatchEvent(t),!t.defaultPrevented)throw e}return r.then(t=>{for(let e of t||[])e.status===`rejected`&&i(e.reason);return e().catch(i)})},nt=class{endpoint;onOpen=()=>void 0;#e=null;#t=0;constructor(e){this.endpoint=e}subscribe(e,t){let n=!1,r=()=>void 0;return this.#n().then(i=>{n||(r=i.subscribe(e,rt(t)))},e=>t.error(e)),()=>{n=!0,r()}}close(){this.#e?.then(e=>e.dispose()).catch(()=>void 0)}#n(){return this.#e??=W(async()=>{let{createClient:e}=await import(`./client-dist-22dc98f1.js`);return{createClient:e}},[]).then(({createClient:e})=>e({url:new URL(this.endpoint,location.href.replace(/^http/,`ws`)).href,keepAlive:2e4,retryAttempts:1/0,shouldRetry:()=>!0,retryWait:()=>new Promise(e=>setTimeout(e,U(this.#t++))),onNonLazyError:()=>void 0,on:{connected:()=>{this.#t=0,this.onOpen()}}})),this.#e}};function rt(e){return{next(t){let n=t.errors?.[0];n?e.error(new h(String(n.extensions?.code??`INTERNAL`),n.message)):e.next(t)},error:()=>e.error(new h(`UNAVAILABLE`,`the subscription has ended`)),complete:()=>e.complete()}}var it=(function(){var e=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`DeskProviderQuery`,selections:e,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[],kind:`Operation`,name:`DeskProviderQuery`,selections:e},params:{cacheID:`8fb00b43f0cae9ad702976b68b983e5f`,id:null,metadata:{},name:`DeskProviderQuery`,operationKind:`query`,text:`query DeskProviderQuery {
  viewer {
    user {
      id
      databaseId
      handle
      name
    }
  }
}
`}}})(),G=i();function K({title:e,onClose:t,children:n}){let r=(0,R.useRef)(null),i=(0,R.useId)();return(0,R.useLayoutEffect)(()=>{let e=r.current;return e?.showModal(),()=>e?.close()},[]),(0,G.jsx)(`dialog`,{ref:r,className:`dialog`,"aria-labelledby":i,onClose:t,onClick:e=>e.target===r.current&&t(),children:(0,G.jsxs)(`div`,{className:`dialog-body`,children:[(0,G.jsxs)(`header`,{className:`dialog-head`,children:[(0,G.jsx)(`h2`,{id:i,children:e}),(0,G.jsx)(`button`,{type:`button`,className:`icon-button`,"aria-label":w.dialog.close,onClick:t,children:(0,G.jsx)(T,{name:`close`})})]}),n]})})}function at(e){return(0,G.jsxs)(K,{title:e.title,onClose:e.onClose,children:[(0,G.jsx)(`p`,{children:e.text}),(0,G.jsxs)(`div`,{className:`dialog-foot`,children:[(0,G.jsx)(`button`,{type:`button`,className:`button`,onClick:e.onClose,children:w.dialog.cancel}),(0,G.jsx)(`button`,{type:`button`,className:`button button-danger`,onClick:()=>{e.onClose(),e.onYes()},children:e.yes})]})]})}var ot=`tideline-draft `,st=new Set;function ct(e,{replyTo:t,repostOf:n}){return`${ot}${e} ${t?`reply ${t}`:n?`repost ${n}`:`post`}`}function q(e){let t=sessionStorage.getItem(e);return t?JSON.parse(t):{text:``}}function J(e,t){t.text||t.sent?sessionStorage.setItem(e,JSON.stringify(t)):sessionStorage.removeItem(e);for(let e of[...st])e()}function lt(e){return[(0,R.useSyncExternalStore)(ut,()=>q(e).text),(0,R.useCallback)(t=>J(e,{...q(e),text:t}),[e])]}function ut(e){return st.add(e),()=>st.delete(e)}function dt(e,t,n){let{sent:r}=q(e),i=r?.text===t?r.key:n();return J(e,{text:``,sent:{text:t,key:i}}),i}function ft(e,t){let n=q(e);J(e,{...n,text:n.text||t})}function pt(e,t){let n=q(e);J(e,{text:n.text===t?``:n.text})}function mt(){for(let e of Object.keys(sessionStorage))e.startsWith(ot)&&sessionStorage.removeItem(e)}var ht=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{kind:`Variable`,name:`input`,variableName:`input`}],n={alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},i={alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},d={alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},f={alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},p={alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`publishMutation`,selections:[{alias:null,args:t,concreteType:`PublishPostPayload`,kind:`LinkedField`,name:`publishPost`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`feedEdge`,plural:!1,selections:[n,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,{args:null,kind:`FragmentSpread`,name:`PostCard_post`}],storageKey:null}],storageKey:null},i],storageKey:null}],type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`publishMutation`,selections:[{alias:null,args:t,concreteType:`PublishPostPayload`,kind:`LinkedField`,name:`publishPost`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`feedEdge`,plural:!1,selections:[n,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},a,o,s,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,c,l,u,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[l,u,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[r,a,o,s,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[c,l,u,r],storageKey:null},d,f,p],storageKey:null},d,f,p],storageKey:null}],storageKey:null},i],storageKey:null}]},params:{cacheID:`22455c9870a7d8c98f1369d2c8aa16b6`,id:null,metadata:{},name:`publishMutation`,operationKind:`mutation`,text:`mutation publishMutation(
  $input: PublishPostInput!
) {
  publishPost(input: $input) {
    feedEdge {
      cursor
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
`}}})();function gt(e,t,n){return{mutation:ht,variables:{input:{...e,idempotencyKey:t}},optimisticUpdater:r=>{let i=n?r.get(n):null;i&&(yt(r,vt(r,e,t,i),null,e,i),e.repostOf&&V(r,e.repostOf,`reposts`,1))},updater:t=>{let r=t.getRootField(`publishPost`)?.getLinkedRecord(`feedEdge`),i=r?.getLinkedRecord(`node`),a=r?.getValue(`cursor`);i&&yt(t,i,typeof a==`string`?a:null,e,n?t.get(n)??null:null)}}}var _t=e=>e.startsWith(`pending:`);function vt(e,t,n,r){let i=e.create(`pending:${n}`,`Post`),a=e.create(`pending:${n}:counters`,`PostCounters`);for(let e of[`likes`,`comments`,`reposts`,`favorites`])a.setValue(0,e);let o={id:`pending:${n}`,databaseId:`0`,kind:bt(t),text:t.text,media:[],publishedAt:new Date().toISOString(),editedAt:null,viewerHasLiked:!1,viewerHasFavorited:!1};for(let[e,t]of Object.entries(o))i.setValue(t,e);i.setLinkedRecord(r,`author`),i.setLinkedRecord(a,`counters`);for(let n of[`replyTo`,`repostOf`]){let r=t[n]?e.get(t[n]):null;r?i.setLinkedRecord(r,n):i.setValue(null,n)}return i}function yt(e,t,n,r,i){let a=r.replyTo?e.get(r.replyTo):null,o=[H(e),i&&B.ConnectionHandler.getConnection(i,`ProfilePosts_posts`),a&&B.ConnectionHandler.getConnection(a,`PostComments_comments`)];for(let r of o){if(!r)continue;let i=B.ConnectionHandler.createEdge(e,r,t,`FeedEdge`);i.setValue(r===o[0]?n:null,`cursor`),B.ConnectionHandler.insertEdgeBefore(r,i)}r.replyTo&&V(e,r.replyTo,`comments`,1)}function bt(e){return e.replyTo?`COMMENT`:e.repostOf?`REPOST`:`POST`}function xt(){return[...crypto.getRandomValues(new Uint8Array(16))].map(e=>e.toString(16).padStart(2,`0`)).join(``)}var St=5e3,Ct=200;function wt({label:e,value:t,placeholder:n,autoFocus:r=!1,onChange:i,onSend:a}){let o=(0,R.useRef)(null),s=(0,R.useId)();(0,R.useEffect)(()=>{let e=o.current;e&&(e.style.height=`auto`,e.style.height=`${e.scrollHeight}px`)},[t]),(0,R.useEffect)(()=>{let e=o.current;r&&e&&(e.focus(),e.setSelectionRange(e.value.length,e.value.length))},[r]);let c=St-ge(t);return(0,G.jsxs)(`div`,{className:`text-field`,children:[(0,G.jsx)(`textarea`,{ref:o,rows:1,dir:`auto`,"aria-label":e,"aria-describedby":s,"aria-invalid":c<0,placeholder:n,value:t,onChange:e=>i(e.target.value),onKeyDown:e=>{e.key===`Enter`&&(e.ctrlKey||e.metaKey)&&(e.preventDefault(),a())}}),(0,G.jsx)(`span`,{id:s,className:c<0?`left left-over`:`left`,role:`status`,children:c<0?w.composer.over(-c):c<=Ct?w.composer.left(c):``})]})}function Tt({draft:e,autoFocus:t=!1,onSent:n}){let{session:r}=M(),i=ct(r.user?.id??``,e),[a,o]=lt(i),{account:s}=N(),c=P(),l=ge(a)<=5e3&&(a.trim()!==``||e.repostOf!==void 0),u=Et(e),d=async()=>{if(!l)return;let t=dt(i,a,xt),{about:r,...o}=e;n?.(),await c(gt({...o,text:a},t,s?.id??null),w.composer.failed,()=>pt(i,a))||ft(i,a)};return(0,G.jsxs)(`form`,{className:`composer`,"aria-label":u.label,onSubmit:e=>{e.preventDefault(),d()},children:[s?(0,G.jsx)(L,{user:s}):(0,G.jsx)(`span`,{className:`avatar`}),(0,G.jsxs)(`div`,{className:`composer-main`,children:[e.about&&(0,G.jsxs)(`blockquote`,{className:`quoted`,children:[(0,G.jsxs)(`p`,{className:`post-by`,children:[(0,G.jsx)(`strong`,{dir:`auto`,children:e.about.name}),` `,(0,G.jsxs)(`span`,{className:`post-handle`,children:[`@`,e.about.handle]})]}),(0,G.jsx)(`p`,{className:`post-text composer-about`,dir:`auto`,children:e.about.text})]}),(0,G.jsx)(wt,{label:u.label,placeholder:u.placeholder,value:a,onChange:o,onSend:()=>void d(),autoFocus:t}),(0,G.jsxs)(`div`,{className:`composer-foot`,children:[(0,G.jsx)(`small`,{className:`composer-hint`,children:w.composer.hint}),(0,G.jsx)(`button`,{type:`submit`,className:`button button-primary`,"aria-disabled":!l,children:u.button})]})]})]})}function Et(e){let{post:t,reply:n,quote:r}=w.composer;return e.replyTo?n:e.repostOf?r:t}function Dt(){let{session:e,expired:t,change:n}=M(),[r,i]=(0,R.useState)(``),[a,o]=(0,R.useState)(!1),s=S(location.search,location.href),c=async e=>{if(!a){o(!0),i(``);try{let t=await l(e);s&&t.admin?location.assign(s):n(t)}catch(e){i(Ot(e)),o(!1)}}};return(0,G.jsxs)(`section`,{className:`sign-in`,"aria-labelledby":`sign-in-title`,"aria-busy":a,children:[(0,G.jsx)(`h2`,{id:`sign-in-title`,children:w.signIn.title}),t&&(0,G.jsxs)(`p`,{className:`note`,role:`status`,children:[w.signIn.expired,` `,w.signIn.expiredHint]}),s&&(0,G.jsx)(`p`,{className:`note`,role:`status`,children:kt(new URL(s,location.href).pathname,e)}),r&&(0,G.jsx)(`p`,{className:`note note-bad`,role:`alert`,children:r}),e.demoUsers.length>0&&(0,G.jsx)(At,{users:e.demoUsers,onChoose:e=>void c({demoUserId:e})}),e.demoLink&&(0,G.jsx)(`p`,{className:`note`,children:w.signIn.demoLink}),(0,G.jsx)(jt,{onToken:e=>void c({token:e})})]})}function Ot(e){return e instanceof h&&e.code!==`UNREACHABLE`?w.signIn.failed(ee(e.message)):w.signIn.failed(s(b(e)))}function kt(e,{user:t}){return t?w.signIn.notAdmin(e,t.handle):w.signIn.adminsOnly(e)}function At({users:e,onChoose:t}){return(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(`h3`,{id:`demo-title`,children:w.signIn.demoTitle}),(0,G.jsx)(`p`,{className:`hint`,children:w.signIn.demoHint}),(0,G.jsx)(`ul`,{className:`demo-users`,"aria-labelledby":`demo-title`,children:e.map(e=>(0,G.jsx)(`li`,{children:(0,G.jsxs)(`button`,{type:`button`,className:`demo-user`,onClick:()=>t(e.id),children:[(0,G.jsx)(L,{user:{databaseId:e.id,name:e.name||e.handle}}),(0,G.jsxs)(`span`,{className:`person-words`,children:[(0,G.jsx)(`strong`,{children:e.name||e.handle}),` `,(0,G.jsxs)(`span`,{children:[`@`,e.handle]})]})]})},e.id))})]})}function jt({onToken:e}){let t=(0,R.useRef)(null);return(0,G.jsxs)(`form`,{className:`token-form`,onSubmit:n=>{n.preventDefault();let r=t.current?.value.trim();r&&e(r)},children:[(0,G.jsx)(`h3`,{children:(0,G.jsx)(`label`,{htmlFor:`token`,children:w.signIn.tokenTitle})}),(0,G.jsx)(`p`,{className:`hint`,id:`token-hint`,children:w.signIn.tokenHint}),(0,G.jsxs)(`div`,{className:`token-row`,children:[(0,G.jsx)(T,{name:`key`}),(0,G.jsx)(`input`,{ref:t,id:`token`,type:`password`,autoComplete:`off`,autoCapitalize:`off`,spellCheck:!1,required:!0,"aria-describedby":`token-hint`}),(0,G.jsx)(`button`,{type:`submit`,className:`button button-primary`,children:w.signIn.submit})]})]})}function Mt(){return(0,G.jsx)(`dl`,{className:`keys`,children:w.shortcuts.keys.map(([e,t])=>(0,G.jsxs)(`div`,{children:[(0,G.jsx)(`dt`,{children:(0,G.jsx)(`kbd`,{children:e})}),(0,G.jsx)(`dd`,{children:t})]},e))})}function Nt(e){if(e.defaultPrevented||e.ctrlKey||e.metaKey||e.altKey||document.querySelector(`dialog[open]`))return!1;let t=e.target;return t.closest(`dialog:not([open])`)!==null||!t.closest(`input, textarea, select, [contenteditable], [role=menu]`)}function Y(e,t){let n=(0,R.useRef)(t);(0,R.useEffect)(()=>{n.current=t}),(0,R.useEffect)(()=>{let t=t=>{t.key===e&&Nt(t)&&(t.preventDefault(),n.current())};return addEventListener(`keydown`,t),()=>removeEventListener(`keydown`,t)},[e])}function Pt(){return document.activeElement?.closest(`article[data-post]`)??null}function Ft({children:e}){let[t,n]=(0,R.useState)(null),{session:r}=M(),i=Rt(r.user!==null),o=r.user!==null,s=(0,R.useCallback)(e=>n(t=>({...e,turn:(t?.turn??0)+1})),[]),c=(0,R.useMemo)(()=>{let e=e=>o?e():s({dialog:`sign-in`});return{signedIn:e,account:i,compose:t=>e(()=>s({dialog:`compose`,draft:t}))}},[o,i,s]),l=()=>n(e=>e?.turn===t?.turn?null:e);return Lt(c,()=>s({dialog:`help`})),(0,G.jsxs)(a,{value:c,children:[e,t?.dialog===`compose`&&(0,G.jsx)(K,{title:It(t.draft),onClose:l,children:(0,G.jsx)(Tt,{draft:t.draft,autoFocus:!0,onSent:l})},t.turn),t?.dialog===`sign-in`&&(0,G.jsx)(K,{title:w.signIn.needed,onClose:l,children:(0,G.jsx)(Dt,{})},t.turn),t?.dialog===`help`&&(0,G.jsx)(K,{title:w.shortcuts.title,onClose:l,children:(0,G.jsx)(Mt,{})},t.turn)]})}function It(e){let{titles:t}=w.composer;return e.replyTo?t.reply:e.repostOf?t.quote:t.post}function Lt(e,t){let n=e=>Pt()?.querySelector(`[data-action=${e}]`)?.click();Y(`n`,()=>e.compose({text:``})),Y(`r`,()=>n(`reply`)),Y(`l`,()=>n(`like`)),Y(`f`,()=>n(`favorite`)),Y(`/`,()=>I(`/search`)),Y(`h`,()=>I(`/`)),Y(`?`,t)}function Rt(e){let t=(0,z.useRelayEnvironment)(),[n,r]=(0,R.useState)(null);return(0,R.useEffect)(()=>{if(!e)return;let{unsubscribe:n}=(0,z.fetchQuery)(t,it,{}).subscribe({next:e=>r(e?.viewer?.user??null),error:()=>void 0});return n},[t,e]),n}var X=`tideline-home`,zt=Bt();function Bt(){let e=sessionStorage.getItem(X);return sessionStorage.removeItem(X),e?JSON.parse(e):null}function Vt(e,t){t===null?sessionStorage.removeItem(X):sessionStorage.setItem(X,JSON.stringify({place:e,after:t}))}function Ht(e){return zt?.place===e?zt.after:null}var Ut=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`before`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`last`}],t=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`before`,variableName:`before`},{kind:`Variable`,name:`first`,variableName:`first`},{kind:`Variable`,name:`last`,variableName:`last`}],n={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},l={alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},d={alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`HomeTimelinePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{args:t,kind:`FragmentSpread`,name:`HomeTimeline_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`HomeTimelinePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:t,concreteType:`FeedConnection`,kind:`LinkedField`,name:`homeFeed`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[n,r,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},i,a,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[n,o,s,c,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[n,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[s,c,n],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[n,i,a,r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[o,s,c,n],storageKey:null},l,u,d],storageKey:null},l,u,d,{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`startCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasPreviousPage`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`syncToken`,storageKey:null}],storageKey:null},{alias:null,args:t,filters:null,handle:`connection`,key:`HomeTimeline_homeFeed`,kind:`LinkedHandle`,name:`homeFeed`}],storageKey:null}]},params:{cacheID:`27f09683bfa5ef6e156a004282334618`,id:null,metadata:{},name:`HomeTimelinePageQuery`,operationKind:`query`,text:`query HomeTimelinePageQuery(
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
`}}})(),Wt=(function(){var e=[`homeFeed`];return{argumentDefinitions:[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`before`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`last`}],kind:`Fragment`,metadata:{connection:[{count:null,cursor:null,direction:`bidirectional`,path:e}],refetch:{connection:{forward:{count:`first`,cursor:`after`},backward:{count:`last`,cursor:`before`},path:e},fragmentPathInResult:[`viewer`],operation:Ut}},name:`HomeTimeline_viewer`,selections:[{alias:`homeFeed`,args:null,concreteType:`FeedConnection`,kind:`LinkedField`,name:`__HomeTimeline_homeFeed_connection`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},{args:null,kind:`FragmentSpread`,name:`PostCard_post`},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`startCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasPreviousPage`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`syncToken`,storageKey:null}],storageKey:null}],type:`Viewer`,abstractKey:null}})(),Gt=3;function Kt({count:e,authors:t,busy:n,onClick:r}){(0,R.useEffect)(()=>{document.title=w.title(e>0?w.home.titleWithNew(e):w.navigation.home)},[e]);let i=w.home.newPosts(e,100);return(0,G.jsxs)(`div`,{className:`pill-place`,children:[(0,G.jsx)(`span`,{className:`hidden`,role:`status`,children:e>0?i:``}),e>0&&(0,G.jsxs)(`button`,{type:`button`,className:`pill`,"aria-busy":n,onClick:r,children:[(0,G.jsx)(T,{name:`up`}),t.length>0&&(0,G.jsx)(`span`,{className:`pill-faces`,"aria-hidden":`true`,children:t.slice(0,Gt).map(e=>(0,G.jsx)(L,{user:e,size:`small`},e.databaseId))}),i]})]})}function qt(e,t,n){let r=n=>t.heights.get(e[n])??t.estimate,i=t.anchor?e.indexOf(t.anchor.key):-1,a=Math.max(i,0),o=i>=0?t.anchor.offset:0,s=a;for(let e=o;s>0&&e>-1*n;)e-=r(--s);let c=a;for(let t=o;c<e.length&&t<2*n;)t+=r(c++);let l=(e,t)=>{let n=0;for(let i=e;i<t;i++)n+=r(i);return n};return{start:s,end:c,before:l(0,s),after:l(c,e.length)}}var Jt=20,Z=new Map;function Yt(e,t,n){let r=`${e} ${t}`,i=Z.get(r)??{heights:new Map,estimate:n,anchor:null,focused:null};Z.delete(r),Z.set(r,i);for(let e of Z.keys()){if(Z.size<=Jt)break;Z.delete(e)}return i}var Xt=6;function Zt(e){let{items:t,keyOf:n,render:r,memory:i,moreAbove:a=!1,onNearTop:o,onNearEnd:s}=e,c=(0,R.useRef)(null),l=t.map(n),u=qt(l,i,innerHeight),d=Qt(c,{keys:l,range:u,memory:i,moreAbove:a});return $t(e.ref,c,l,i,d),en(c,i,e.returned??!1),(0,R.useEffect)(()=>{u.end>=l.length-Xt&&s?.(),u.start<=Xt&&o?.()}),(0,G.jsx)(`div`,{ref:c,className:`window-list`,role:`feed`,"aria-label":e.label,"aria-busy":e.busy??!1,onFocus:()=>i.focused=rn(c.current)??null,style:{paddingTop:u.before,paddingBottom:u.after},children:t.slice(u.start,u.end).map((e,t)=>(0,G.jsx)(`div`,{"data-key":l[u.start+t],className:`window-item`,children:r(e,u.start+t)},l[u.start+t]))})}function Qt(e,t){let[,n]=(0,R.useReducer)(e=>e+1,0),{memory:r}=t,i=(0,R.useRef)(t);return(0,R.useLayoutEffect)(()=>{i.current=t,tn(e.current,r)}),(0,R.useEffect)(()=>{let t=()=>{if(!e.current)return;let{keys:t,range:a,moreAbove:o}=i.current;r.anchor=nn(e.current,t,r,o);let s=qt(t,r,innerHeight);(s.start!==a.start||s.end!==a.end)&&n()},a=new ResizeObserver(()=>tn(e.current,r));return e.current&&a.observe(e.current),addEventListener(`scroll`,t,{passive:!0}),addEventListener(`resize`,t),()=>{a.disconnect(),removeEventListener(`scroll`,t),removeEventListener(`resize`,t)}},[e,r]),n}function $t(e,t,n,r,i){let a=(0,R.useRef)(null);(0,R.useLayoutEffect)(()=>{a.current!==null&&on(t.current,a.current)&&(a.current=null)}),(0,R.useImperativeHandle)(e,()=>({move(e){let o=n.indexOf(rn(t.current)??``),s=o>=0?o+e:Math.max(0,n.indexOf(r.anchor?.key??``)),c=n[Math.min(Math.max(s,0),n.length-1)];c===void 0||on(t.current,c)||(a.current=c,r.anchor={key:c,offset:innerHeight/3},i())},toTop(){r.anchor=null,i(),scrollTo({top:0})}}))}function en(e,t,n){let r=(0,R.useRef)(!0);(0,R.useLayoutEffect)(()=>{if(!r.current)return;r.current=!1;let i=document.activeElement?.closest(`main *, dialog, input, button, a`);n&&!i&&t.focused!==null&&an(e.current,t.focused)?.focus({preventScroll:!0})})}var Q=e=>[...e.children];function tn(e,t){if(!e)return;for(let n of Q(e)){let{key:e}=n.dataset,{height:r}=n.getBoundingClientRect();e!==void 0&&r>0&&t.heights.set(e,r)}let{anchor:n}=t,r=n&&Q(e).find(e=>e.dataset.key===n.key);if(!r)return;let i=r.getBoundingClientRect().top-n.offset;Math.abs(i)>=1&&scrollBy({top:i,behavior:`instant`})}function nn(e,t,n,r){let{top:i}=e.getBoundingClientRect();if(i>=0&&!r)return null;for(let t of Q(e)){let e=t.getBoundingClientRect(),{key:n}=t.dataset;if(e.bottom>0&&e.top<innerHeight&&n!==void 0)return{key:n,offset:e.top}}let a=i;for(let e of t){let t=n.heights.get(e)??n.estimate;if(a+t>0)return{key:e,offset:a};a+=t}return null}function rn(e){let t=document.activeElement?.closest(`.window-item`);return t&&e?.contains(t)?t.dataset.key:void 0}function an(e,t){return(e&&Q(e).find(e=>e.dataset.key===t))?.querySelector(`article`)??null}function on(e,t){let n=an(e,t);return n?(n.focus({preventScroll:!0}),n.scrollIntoView({block:`nearest`}),!0):!1}var sn=(function(){var e={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},t={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},n={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},r={args:null,kind:`FragmentSpread`,name:`PostActions_post`};return{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostCard_post`,selections:[e,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[e,{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},t,n],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[e,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[t,n],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[e,{args:null,kind:`FragmentSpread`,name:`PostCard_quoted`},r],storageKey:null},r,{args:null,kind:`FragmentSpread`,name:`PostMenu_post`}],type:`Post`,abstractKey:null}})(),cn={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostCard_quoted`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null}],storageKey:null}],type:`Post`,abstractKey:null};function ln({text:e}){return x(e).map((e,t)=>{switch(e.kind){case`link`:return(0,G.jsx)(`a`,{href:e.href,target:`_blank`,rel:`noreferrer nofollow`,children:re(e.href)+(e.text.length>40?`/…`:e.text.replace(/^https?:\/\/[^/]+/,``))},t);case`mention`:return(0,G.jsx)(F,{href:E(e.handle),children:e.text},t);default:return e.text}})}function un({postId:e,text:t,onDone:n}){let[r,i]=(0,R.useState)(t),a=P(),o=()=>{ge(r)>5e3||(n(),r!==t&&a(Pe(e,r,new Date().toISOString()),w.edit.failed))};return(0,G.jsxs)(`form`,{className:`edit`,onSubmit:e=>{e.preventDefault(),o()},onKeyDown:e=>e.key===`Escape`&&n(),children:[(0,G.jsx)(wt,{label:w.edit.label,value:r,onChange:i,onSend:o,autoFocus:!0}),(0,G.jsxs)(`div`,{className:`edit-foot`,children:[(0,G.jsx)(`button`,{type:`button`,className:`button button-small`,onClick:n,children:w.edit.cancel}),(0,G.jsx)(`button`,{type:`submit`,className:`button button-small button-primary`,children:w.edit.save})]})]})}var dn={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostActions_post`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null}],type:`Post`,abstractKey:null},fn=80;function pn(e){let[t,n]=(0,R.useState)(!1),r=(0,R.useRef)(null),i=(0,R.useRef)(null),a=(0,R.useRef)(null);(0,R.useEffect)(()=>{if(!t)return;let e=a.current;e&&e.getBoundingClientRect().bottom>innerHeight-fn&&e.classList.add(`menu-up`),e?.querySelector(`[role=menuitem]`)?.focus({preventScroll:!0});let i=e=>{r.current?.contains(e.target)||n(!1)};return addEventListener(`pointerdown`,i),()=>removeEventListener(`pointerdown`,i)},[t]);let o=()=>{n(!1),i.current?.focus()};return(0,G.jsxs)(`div`,{ref:r,className:`menu-box`,children:[(0,G.jsx)(`button`,{ref:i,type:`button`,className:e.className??`icon-button`,"aria-haspopup":`menu`,"aria-expanded":t,"aria-label":e.label,onClick:()=>n(!t),children:e.children}),t&&(0,G.jsx)(`div`,{ref:a,className:`menu`,role:`menu`,"aria-label":e.label,tabIndex:-1,onKeyDown:e=>mn(e,a.current,o),children:e.items.map(e=>(0,G.jsxs)(`button`,{type:`button`,role:`menuitem`,tabIndex:-1,className:e.danger?`menu-item menu-danger`:`menu-item`,onClick:()=>{o(),e.run()},children:[(0,G.jsx)(`span`,{children:e.label}),e.hint&&(0,G.jsx)(`small`,{children:e.hint})]},e.label))})]})}function mn(e,t,n){let r=[...t?.querySelectorAll(`[role=menuitem]`)??[]],i=r.indexOf(document.activeElement),a={ArrowDown:i+1,ArrowUp:i-1,Home:0,End:r.length-1}[e.key];if(a!==void 0)r.at(a%r.length)?.focus();else if(e.key===`Escape`||e.key===`Tab`)n();else return;e.preventDefault(),e.stopPropagation()}function hn({post:e}){let t=(0,z.useFragment)(dn,e),{compose:n,signedIn:r,account:i}=N(),a=P(),o={name:t.author.name,handle:t.author.handle,text:t.text},{counters:s}=t;return(0,G.jsxs)(`div`,{className:`actions`,role:`group`,"aria-label":w.actions.group,children:[(0,G.jsxs)(`button`,{type:`button`,className:`action`,"data-action":`reply`,"aria-label":w.actions.reply(s.comments),onClick:()=>n({text:``,replyTo:t.id,about:o}),children:[(0,G.jsx)(T,{name:`reply`}),` `,(0,G.jsx)(_n,{of:s.comments})]}),(0,G.jsxs)(pn,{label:w.actions.repost(s.reposts),className:`action`,items:[{label:w.actions.repostNow,hint:w.actions.repostHint,run:()=>r(()=>void a(gt({text:``,repostOf:t.id},xt(),i?.id??null),w.actions.repostFailed))},{label:w.actions.quote,hint:w.actions.quoteHint,run:()=>n({text:``,repostOf:t.id,about:o})}],children:[(0,G.jsx)(T,{name:`repost`}),` `,(0,G.jsx)(_n,{of:s.reposts})]}),(0,G.jsx)(gn,{name:`like`,icon:`like`,label:w.actions.like(s.likes),on:t.viewerHasLiked,count:s.likes,onClick:()=>r(()=>void a(Ae(t),t.viewerHasLiked?w.actions.unlikeFailed:w.actions.likeFailed))}),(0,G.jsx)(gn,{name:`favorite`,icon:`favorite`,label:w.actions.favorite(s.favorites),on:t.viewerHasFavorited,count:s.favorites,onClick:()=>r(()=>void a(Ne(t),t.viewerHasFavorited?w.actions.unfavoriteFailed:w.actions.favoriteFailed))})]})}function gn({name:e,icon:t,label:n,on:r,count:i,onClick:a}){return(0,G.jsxs)(`button`,{type:`button`,className:`action action-${e}`,"data-action":e,"aria-pressed":r,"aria-label":n,onClick:a,children:[(0,G.jsx)(T,{name:t,filled:r}),` `,(0,G.jsx)(_n,{of:i})]})}function _n({of:e}){return(0,G.jsx)(`span`,{className:`count`,children:e>0?m(e):``})}var vn=(function(){var e={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},t=[e];return{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostMenu_post`,selections:[e,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{args:null,kind:`FragmentSpread`,name:`useRelations_user`}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:t,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:t,storageKey:null}],type:`Post`,abstractKey:null}})(),yn={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`useRelations_user`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],type:`User`,abstractKey:null},bn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`followUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationFollowMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationFollowMutation`,selections:t},params:{cacheID:`d82025c4af432cf7dfdc84680b4d2ac9`,id:null,metadata:{},name:`relationFollowMutation`,operationKind:`mutation`,text:`mutation relationFollowMutation(
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
`}}})(),xn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unfollowUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnfollowMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnfollowMutation`,selections:t},params:{cacheID:`ba78124df60748a9a0aea5b3cf163f5c`,id:null,metadata:{},name:`relationUnfollowMutation`,operationKind:`mutation`,text:`mutation relationUnfollowMutation(
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
`}}})(),Sn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`muteUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationMuteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationMuteMutation`,selections:t},params:{cacheID:`359baa413f8d2557a9667bd9310b2704`,id:null,metadata:{},name:`relationMuteMutation`,operationKind:`mutation`,text:`mutation relationMuteMutation(
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
`}}})(),Cn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unmuteUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnmuteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnmuteMutation`,selections:t},params:{cacheID:`8b1c8b99a58e93446535564b835a07c0`,id:null,metadata:{},name:`relationUnmuteMutation`,operationKind:`mutation`,text:`mutation relationUnmuteMutation(
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
`}}})(),wn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`hideFromUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationHideMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationHideMutation`,selections:t},params:{cacheID:`82c6b935c43f2ace1b8da2f7b38f813e`,id:null,metadata:{},name:`relationHideMutation`,operationKind:`mutation`,text:`mutation relationHideMutation(
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
`}}})(),Tn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unhideFromUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnhideMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnhideMutation`,selections:t},params:{cacheID:`89b60f9f69aabdcb2dee807c1a760671`,id:null,metadata:{},name:`relationUnhideMutation`,operationKind:`mutation`,text:`mutation relationUnhideMutation(
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
`}}})(),En=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`blockUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationBlockMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationBlockMutation`,selections:t},params:{cacheID:`ad4ede9c1d56aff8892d721c2da7b0d5`,id:null,metadata:{},name:`relationBlockMutation`,operationKind:`mutation`,text:`mutation relationBlockMutation(
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
`}}})(),Dn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unblockUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnblockMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnblockMutation`,selections:t},params:{cacheID:`1caa1bd1927fac962e99b7c4133148de`,id:null,metadata:{},name:`relationUnblockMutation`,operationKind:`mutation`,text:`mutation relationUnblockMutation(
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
`}}})(),On={follow:`viewerFollows`,mute:`viewerMutes`,hide:`viewerHidesFrom`,block:`viewerBlocks`},kn={follow:[bn,xn],mute:[Sn,Cn],hide:[wn,Tn],block:[En,Dn]};function An(e,t){let n=!t[On[e]];return{mutation:kn[e][+!n],variables:{input:{userId:t.id}},optimisticUpdater:r=>{let i=r.get(t.id);i?.setValue(n,On[e]),e===`follow`&&i?.getLinkedRecord(`counters`)?.setValue(t.counters.followers+(n?1:-1),`followers`),jn(e,n)&&Mn(r,t.id)},updater:r=>{e===`block`&&r.get(t.id)?.invalidateRecord(),jn(e,n)?Mn(r,t.id):Nn(r)}}}function jn(e,t){return e===`follow`?!t:e!==`hide`&&t}function Mn(e,t){let n=H(e),r=n?.getLinkedRecords(`edges`);if(!n||!r)return;let i=r.filter(e=>{let n=e?.getLinkedRecord(`node`);return![n,n?.getLinkedRecord(`repostOf`)].map(e=>e?.getLinkedRecord(`author`)?.getDataID()).includes(t)});n.setLinkedRecords(i,`edges`)}function Nn(e){e.get(B.ROOT_ID)?.getLinkedRecord(`viewer`)?.invalidateRecord()}var Pn=[`follow`,`mute`,`hide`,`block`];function Fn(e){let t=(0,z.useFragment)(yn,e),n=P(),r=C(),{handle:i}=t;return Pn.map(e=>{let a=w.relations[e],o=t[On[e]],s=o?a.off(i):a.on(i),c=async()=>{await n(An(e,t),w.relations.failed(s))&&r.show({tone:`good`,title:o?a.undone(i):a.done(i)})};return{relation:e,on:o,label:s,run:()=>void c(),...!o&&{hint:a.hint},...e===`block`&&!o&&{danger:!0}}})}function In({post:e,own:t,alone:n,onEdit:r}){let i=(0,z.useFragment)(vn,e),[a,o]=(0,R.useState)(!1),{signedIn:s}=N(),c=C(),l=P(),u=Fn(i.author),d=()=>{let e=new URL(k(i.id),location.href).href;navigator.clipboard?.writeText(e).then(()=>c.show({tone:`good`,title:w.postMenu.copied}),()=>c.show({tone:`bad`,title:w.postMenu.copyFailed,text:e}))},f=async()=>{let e=Fe({id:i.id,replyTo:i.replyTo?.id??null,repostOf:i.repostOf?.id??null});n&&ce(`/`),await l(e,w.postMenu.removeFailed)&&c.show({tone:`good`,title:w.postMenu.removed})},p=[...t?[{label:w.postMenu.edit,run:r},{label:w.postMenu.remove,danger:!0,run:()=>o(!0)}]:u.map(e=>({...e,run:()=>s(e.run)})),{label:w.postMenu.copyLink,run:d}];return(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(pn,{label:w.postMenu.label(i.author.handle),items:p,children:(0,G.jsx)(T,{name:`more`})}),a&&(0,G.jsx)(at,{title:w.postMenu.removeTitle,text:w.postMenu.removeText,yes:w.postMenu.remove,onYes:()=>void f(),onClose:()=>o(!1)})]})}function Ln(e){return e.text===``&&e.media.length===0?e.repostOf??null:null}function Rn({post:e,position:t,total:n,alone:r=!1}){let i=(0,z.useFragment)(sn,e),{session:a}=M(),[o,s]=(0,R.useState)(!1),c=_t(i.id),l=a.user?.id===i.author.databaseId,u=()=>!r&&!c&&I(k(i.id)),d=`${i.id}-author ${i.id}-text`;return(0,G.jsxs)(`article`,{className:`post${r?` post-alone`:``}${c?` post-pending`:``}`,tabIndex:0,"data-post":i.id,"aria-labelledby":d,"aria-posinset":t,"aria-setsize":n,"aria-busy":c,onClick:e=>Bn(e)&&u(),onKeyDown:e=>e.key===`Enter`&&e.target===e.currentTarget&&u(),children:[(0,G.jsx)(F,{href:E(i.author.handle),className:`post-face`,tabIndex:-1,"aria-hidden":`true`,children:(0,G.jsx)(L,{user:i.author})}),(0,G.jsxs)(`div`,{className:`post-main`,children:[(0,G.jsx)(zn,{post:i,alone:r,pending:c}),(0,G.jsxs)(`div`,{id:`${i.id}-text`,children:[o?(0,G.jsx)(un,{postId:i.id,text:i.text,onDone:()=>s(!1)}):(0,G.jsx)(Hn,{of:i.text}),(0,G.jsx)(Wn,{urls:i.media}),i.repostOf?(0,G.jsx)(Vn,{post:i.repostOf}):i.kind===`REPOST`&&(0,G.jsx)(Un,{})]}),!c&&(0,G.jsxs)(`footer`,{className:`post-foot`,children:[(0,G.jsx)(hn,{post:Ln(i)??i}),(0,G.jsx)(In,{post:i,own:l,alone:r,onEdit:()=>s(!0)})]})]})]})}function zn({post:e,alone:t,pending:n}){let{author:r}=e;return(0,G.jsxs)(`header`,{className:`post-head`,children:[(0,G.jsxs)(`span`,{id:`${e.id}-author`,className:`post-by`,children:[(0,G.jsx)(F,{href:E(r.handle),className:`post-name`,dir:`auto`,children:r.name}),` `,(0,G.jsxs)(`span`,{className:`post-handle`,children:[`@`,r.handle]}),e.kind===`REPOST`&&(0,G.jsxs)(`span`,{className:`post-note`,children:[` `,(0,G.jsx)(T,{name:`repost`}),` `,w.post.reposted]})]}),(0,G.jsxs)(`span`,{className:`post-time`,children:[n?w.post.sending:(0,G.jsx)(F,{href:k(e.id),className:`quiet-link`,children:(0,G.jsx)(d,{moment:e.publishedAt})}),e.editedAt&&(0,G.jsxs)(`span`,{title:w.post.editedAt(e.editedAt),children:[` · `,w.post.edited]})]}),e.replyTo&&!t&&(0,G.jsxs)(F,{href:k(e.replyTo.id),className:`post-context quiet-link`,children:[(0,G.jsx)(T,{name:`reply`}),` `,w.post.replyingTo(e.replyTo.author.handle)]})]})}function Bn(e){return!e.target.closest(`a, button, input, textarea, [role=menu], dialog`)&&!getSelection()?.toString()}function Vn({post:e}){let t=(0,z.useFragment)(cn,e);return(0,G.jsxs)(`div`,{className:`quoted`,children:[(0,G.jsxs)(`p`,{className:`post-by`,children:[(0,G.jsx)(L,{user:t.author,size:`small`}),(0,G.jsx)(F,{href:E(t.author.handle),className:`post-name`,dir:`auto`,children:t.author.name}),` `,(0,G.jsxs)(`span`,{className:`post-handle`,children:[`@`,t.author.handle]}),(0,G.jsx)(F,{href:k(t.id),className:`quiet-link post-time`,children:(0,G.jsx)(d,{moment:t.publishedAt})})]}),(0,G.jsx)(Hn,{of:t.text}),(0,G.jsx)(Wn,{urls:t.media})]})}function Hn({of:e}){return e&&(0,G.jsx)(`p`,{className:`post-text`,dir:`auto`,children:(0,G.jsx)(ln,{text:e})})}function Un(){return(0,G.jsx)(`p`,{className:`quoted quoted-gone`,children:w.post.unavailable})}function Wn({urls:e}){return e.length?(0,G.jsx)(`ul`,{className:`media`,"aria-label":w.post.media,children:e.map((e,t)=>(0,G.jsx)(`li`,{children:(0,G.jsxs)(`a`,{href:e,target:`_blank`,rel:`noreferrer nofollow`,children:[(0,G.jsx)(T,{name:`picture`}),` `,(0,G.jsx)(`span`,{children:re(e)}),(0,G.jsx)(`span`,{className:`hidden`,children:w.post.opensElsewhere})]})},t))}):null}var Gn=150;function Kn(e){let{edges:t,hasNext:n,loadNext:r,loadingNext:i,above:a,line:o}=e,[s,c]=(0,R.useState)(null),[l]=(0,R.useState)(()=>{let n=Yt(O.get().key,e.label,Gn);return a?.more&&t[0]&&(n.anchor??={key:t[0].node.id,offset:0}),n}),[u]=(0,R.useState)(()=>O.get().returned),d=()=>{!i&&n&&(c(null),r(20,{onComplete:c}))};return!t.length&&!n?e.empty:(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(Zt,{ref:e.ref,label:e.label,items:t,keyOf:e=>e.node.id,memory:l,returned:u,busy:i||(a?.loading??!1),moreAbove:a?.more??!1,onNearEnd:()=>s||d(),...a&&{onNearTop:()=>a.more&&a.load()},render:(e,r)=>(0,G.jsxs)(G.Fragment,{children:[o&&o.before===e.node.id&&r>0&&(0,G.jsx)(qn,{text:o.text}),(0,G.jsx)(Rn,{post:e.node,position:r+1,total:n?-1:t.length})]})}),(0,G.jsx)(g,{loading:i,failure:s,hasMore:n,retry:d,end:e.end})]})}function qn({text:e}){return(0,G.jsxs)(`div`,{className:`tide-line`,role:`separator`,"aria-label":e,children:[(0,G.jsx)(`svg`,{viewBox:`0 0 600 14`,preserveAspectRatio:`none`,"aria-hidden":`true`,children:(0,G.jsx)(`path`,{d:`M0 7c12.5-8 25-8 37.5 0s25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0`})}),(0,G.jsx)(`span`,{"aria-hidden":`true`,children:e})]})}var Jn=A({posts:[],counted:0});function Yn(e,t,n){let r=(0,z.useRelayEnvironment)(),i=fe(),{posts:a,counted:o}=D(i?.state??Jn),s=(0,R.useMemo)(()=>{let n=e.map(e=>({...e.node,cursor:e.cursor}));return a.map(e=>({post:e,at:Be(e,n,t)}))},[a,e,t]);(0,R.useEffect)(()=>{i?.setTop(t),n&&i?.count()},[i,t,n]),(0,R.useEffect)(()=>{let e=s.filter(({at:e})=>e!==`above`);if(e.length&&i){for(let{post:t,at:n}of e)Xn(r,t,n);i.settle(new Set(e.map(({post:e})=>e.id)))}},[r,i,s]);let c=s.filter(({at:e})=>e===`above`).map(({post:e})=>e),l=[...new Map(c.reverse().map(({author:e})=>[e.databaseId,e])).values()];return{count:Ve(c.length,o),authors:l}}function Xn(e,t,n){typeof n!=`string`&&(0,z.commitLocalUpdate)(e,e=>{let r=H(e),i=e.get(t.id);if(!r||!i)return;let a=B.ConnectionHandler.createEdge(e,r,i,`FeedEdge`);a.setValue(t.cursor,`cursor`),B.ConnectionHandler.insertEdgeBefore(r,a,n.before)})}function Zn(e){let t=(0,R.useRef)(e);(0,R.useEffect)(()=>{t.current=e}),(0,R.useEffect)(()=>{let e=()=>{let e=Qn(),n=t.current.findIndex(t=>t.node.id===e);Vt(O.get().key,n>0?t.current[n-1]?.cursor??null:null)};return addEventListener(`pagehide`,e),()=>removeEventListener(`pagehide`,e)},[])}function Qn(){return[...document.querySelectorAll(`.window-item`)].find(e=>e.getBoundingClientRect().bottom>0)?.dataset.key}var $n=60;function er({viewer:e}){let t=(0,z.usePaginationFragment)(Wt,e),{edges:n,pageInfo:r}=t.data.homeFeed,i=(0,R.useMemo)(()=>n.filter(e=>e.node!=null),[n]),a=(0,R.useRef)(null),o=Yn(i,r.startCursor??null,r.hasPreviousPage),{line:s,toNewest:c,busy:l}=tr({pages:t,pageInfo:r,list:a,first:i[0]?.node.id??null,missing:o.count});Zn(i),Y(`.`,c),Y(`j`,()=>a.current?.move(1)),Y(`k`,()=>a.current?.move(-1));let{loadPrevious:u,isLoadingPrevious:d}=t,[f,p]=(0,R.useState)(!1),m=(0,R.useCallback)(()=>{d||f||u(20,{onComplete:e=>p(e!==null)})},[u,d,f]);return(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(Kt,{count:o.count,authors:o.authors,busy:l,onClick:c}),(0,G.jsx)(Kn,{ref:a,label:w.home.feed,edges:i,hasNext:t.hasNext,loadNext:t.loadNext,loadingNext:t.isLoadingNext,above:{more:r.hasPreviousPage,loading:d,load:m},line:s?{before:s,text:w.home.newEndsHere}:null,end:w.home.end,empty:(0,G.jsxs)(j,{icon:`home`,title:w.home.empty,children:[(0,G.jsx)(`p`,{children:w.home.emptyHint}),(0,G.jsx)(F,{className:`button button-primary`,href:`/search`,children:w.app.findPeople})]})})]})}function tr({pages:e,pageInfo:t,list:n,first:r,missing:i}){let a=(0,z.useRelayEnvironment)(),o=fe(),c=C(),[l,u]=(0,R.useState)(null),[d,f]=(0,R.useState)(!1),{loadPrevious:p,isLoadingPrevious:m}=e,{hasPreviousPage:h,startCursor:g}=t,_=async()=>{if(d)return;f(!0);let e=o?.announced()??[];try{g&&!h&&!m&&i<=$n?await new Promise((e,t)=>p(100,{onComplete:n=>n?t(n):e()})):await(0,z.fetchQuery)(a,Le,{first:20,after:null},{fetchPolicy:`network-only`}).toPromise(),o?.read(e),i>0&&u(r),n.current?.toTop()}catch(e){let t=b(e),{requestId:n,away:r}=t;c.show({tone:`bad`,title:w.home.newFailed,text:s(t),requestId:n,away:r,action:{label:w.messages.tryAgain,run:()=>void _()}})}finally{f(!1)}},v=(0,R.useRef)(_);return(0,R.useEffect)(()=>{v.current=_}),{line:l,busy:d,toNewest:(0,R.useCallback)(()=>void v.current(),[])}}function nr({attempt:e}){let[t]=(0,R.useState)(()=>O.get().key),n=e===0?Ht(t):null,{viewer:r}=(0,z.useLazyLoadQuery)(Le,{first:20,after:n},{fetchKey:e});return(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(`h1`,{className:`hidden`,tabIndex:-1,children:w.navigation.home}),(0,G.jsx)(`div`,{className:`home-composer`,children:(0,G.jsx)(Tt,{draft:{text:``}})}),r&&(0,G.jsx)(er,{viewer:r})]})}var rr=(function(){var e={defaultValue:null,kind:`LocalArgument`,name:`first`},t={defaultValue:null,kind:`LocalArgument`,name:`id`},n=[{kind:`Variable`,name:`id`,variableName:`id`}],r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},c={args:null,kind:`FragmentSpread`,name:`PostCard_post`},l=[{kind:`Variable`,name:`first`,variableName:`first`}],u={alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},d={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},f={alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},p={alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},m={alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},h={alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},g={alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null},_={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},v={alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},y={alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},b={alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},x={alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[r,o,s,_,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[d,a,i,r],storageKey:null},v,y,b],storageKey:null},S={alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},C={alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},ee={alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,d,a,i,f,p,m,h,g],storageKey:null},w={alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[a,i,r],storageKey:null}],storageKey:null};return{fragment:{argumentDefinitions:[e,t],kind:`Fragment`,metadata:null,name:`PostPageQuery`,selections:[{alias:null,args:n,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[{fragment:{kind:`InlineFragment`,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,a],storageKey:null},o,s,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[r],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,c],storageKey:null},c,{args:l,kind:`FragmentSpread`,name:`PostComments_post`}],type:`Post`,abstractKey:null},kind:`AliasedInlineFragmentSpread`,name:`post`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[t,e],kind:`Operation`,name:`PostPageQuery`,selections:[{alias:null,args:n,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[u,r,{kind:`InlineFragment`,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,a,r,d,f,p,m,h,g],storageKey:null},o,s,x,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,S,o,s,_,C,ee,w,x,v,y,b],storageKey:null},S,_,C,v,y,b,{alias:null,args:l,concreteType:`FeedConnection`,kind:`LinkedField`,name:`comments`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,S,o,s,_,C,ee,w,x,v,y,b,u],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:l,filters:null,handle:`connection`,key:`PostComments_comments`,kind:`LinkedHandle`,name:`comments`}],type:`Post`,abstractKey:null}],storageKey:null}]},params:{cacheID:`8dd372df168e8ce4bcedebedc017da20`,id:null,metadata:{},name:`PostPageQuery`,operationKind:`query`,text:`query PostPageQuery(
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
`}}})(),ir=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`id`}],t=[{kind:`Variable`,name:`id`,variableName:`id`}],n=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`first`,variableName:`first`}],r={alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},d={alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},f={alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},p={alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostCommentsPageQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[{args:n,kind:`FragmentSpread`,name:`PostComments_post`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostCommentsPageQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,i,{kind:`InlineFragment`,selections:[{alias:null,args:n,concreteType:`FeedConnection`,kind:`LinkedField`,name:`comments`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[i,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},a,o,s,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,c,l,u,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[i,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[l,u,i],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[i,a,o,s,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[c,l,u,i],storageKey:null},d,f,p],storageKey:null},d,f,p,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:n,filters:null,handle:`connection`,key:`PostComments_comments`,kind:`LinkedHandle`,name:`comments`}],type:`Post`,abstractKey:null}],storageKey:null}]},params:{cacheID:`f46468808719a43b3735098ff4b981ca`,id:null,metadata:{},name:`PostCommentsPageQuery`,operationKind:`query`,text:`query PostCommentsPageQuery(
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
`}}})(),ar=(function(){var e=[`comments`],t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{argumentDefinitions:[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`}],kind:`Fragment`,metadata:{connection:[{count:`first`,cursor:`after`,direction:`forward`,path:e}],refetch:{connection:{forward:{count:`first`,cursor:`after`},backward:null,path:e},fragmentPathInResult:[`node`],operation:ir,identifierInfo:{identifierField:`id`,identifierQueryVariableName:`id`}}},name:`PostComments_post`,selections:[{alias:`comments`,args:null,concreteType:`FeedConnection`,kind:`LinkedField`,name:`__PostComments_comments_connection`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[t,{args:null,kind:`FragmentSpread`,name:`PostCard_post`},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},t],type:`Post`,abstractKey:null}})();function or({post:e}){let{data:t,hasNext:n,loadNext:r,isLoadingNext:i}=(0,z.usePaginationFragment)(ar,e);return(0,G.jsx)(`section`,{"aria-label":w.post.replies,children:(0,G.jsx)(Kn,{label:w.post.repliesTo,edges:t.comments.edges.filter(e=>e.node!=null),hasNext:n,loadNext:r,loadingNext:i,empty:(0,G.jsx)(`p`,{className:`list-end`,children:w.post.noReplies}),end:w.post.noMoreReplies})})}function sr({id:e,attempt:t}){let{node:n}=(0,z.useLazyLoadQuery)(rr,{id:e,first:20},{fetchKey:t,fetchPolicy:`store-and-network`}),{session:r}=M(),i=n?.post;if(!i)return(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(pe,{title:w.post.title,back:!0}),(0,G.jsx)(j,{icon:`reply`,title:w.post.notFound,children:(0,G.jsx)(`p`,{children:w.post.notFoundHint})})]});let a=Ln(i);return a?(0,G.jsx)(sr,{id:a.id,attempt:t}):(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(pe,{title:w.post.titleBy(i.author.name),back:!0}),i.replyTo&&(0,G.jsx)(`div`,{className:`thread-parent`,children:(0,G.jsx)(Rn,{post:i.replyTo})}),(0,G.jsx)(Rn,{post:i,alone:!0}),r.user&&(0,G.jsx)(`div`,{className:`home-composer`,children:(0,G.jsx)(Tt,{draft:{text:``,replyTo:i.id}},i.id)}),(0,G.jsx)(or,{post:i})]})}function cr({label:e=w.server.developers}){return(0,G.jsxs)(`nav`,{className:`server-links`,"aria-label":e,children:[(0,G.jsx)(`a`,{href:`/graphiql`,children:w.server.graphiql}),(0,G.jsx)(`a`,{href:`/schema.graphql`,children:w.server.schema}),(0,G.jsx)(`a`,{href:`/tasks`,children:w.server.tasks}),(0,G.jsx)(`a`,{href:`/healthz`,children:w.server.health})]})}function lr(){return(0,R.useEffect)(()=>{document.title=w.app.name},[]),(0,G.jsxs)(`div`,{className:`welcome`,children:[(0,G.jsxs)(`div`,{className:`welcome-words`,children:[(0,G.jsx)(te,{}),(0,G.jsx)(`h1`,{tabIndex:-1,children:w.app.name}),(0,G.jsx)(`p`,{className:`lead`,children:w.signIn.lead}),(0,G.jsx)(cr,{})]}),(0,G.jsx)(Dt,{}),(0,G.jsx)(ur,{})]})}function ur(){return(0,G.jsxs)(`svg`,{className:`sea`,viewBox:`0 0 1200 220`,preserveAspectRatio:`none`,"aria-hidden":`true`,focusable:`false`,children:[(0,G.jsx)(`path`,{d:`M0 70c100-60 200-60 300 0s200 60 300 0 200-60 300 0 200 60 300 0v150H0Z`}),(0,G.jsx)(`path`,{d:`M0 120c75-44 150-44 225 0s150 44 225 0 150-44 225 0 150 44 225 0 150-44 300 0v100H0Z`}),(0,G.jsx)(`path`,{d:`M0 165c120-38 240-38 360 0s240 38 360 0 240-38 480 0v55H0Z`})]})}var dr=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`first`}],t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},n=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[t],storageKey:null},{alias:null,args:[{kind:`Variable`,name:`first`,variableName:`first`}],concreteType:`LiveConnection`,kind:`LinkedField`,name:`liveFeed`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[t,{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null}],storageKey:null}],storageKey:null}],storageKey:null},{kind:`ClientExtension`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`__id`,storageKey:null}]}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`LiveNowQuery`,selections:n,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`LiveNowQuery`,selections:n},params:{cacheID:`c5c0bef5aa34d4f3bb22a7905abadfe6`,id:null,metadata:{},name:`LiveNowQuery`,operationKind:`query`,text:`query LiveNowQuery(
  $first: Int!
) {
  viewer {
    user {
      id
    }
    liveFeed(first: $first) {
      nodes {
        id
        title
        state
        scheduledAt
        startedAt
        endedAt
        host {
          id
          databaseId
          name
          handle
          viewerFollows
          viewerMutes
          viewerBlocks
        }
      }
    }
  }
}
`}}})(),fr=class extends R.Component{state={failed:!1};static getDerivedStateFromError(){return{failed:!0}}render(){return this.state.failed?null:this.props.children}};function pr(e,t){let{state:n,scheduledAt:r,startedAt:i,endedAt:a}=e;switch(n){case`UPCOMING`:{let e=Date.parse(r)-t;return e>0?w.live.startsIn(e):w.live.startsSoon}case`LIVE`:return i?w.live.liveFor(t-Date.parse(i)):w.live.liveNow;case`REPLAY`:{if(!a)return w.live.ended;let e=t-Date.parse(a);return i?w.live.endedAfter(e,Date.parse(a)-Date.parse(i)):w.live.endedAgo(e)}}}function mr(e,t,n,r){let i=(0,z.useRelayEnvironment)(),a=JSON.stringify(t),o=(0,R.useMemo)(()=>(0,B.createOperationDescriptor)((0,B.getRequest)(e),JSON.parse(a)).request.identifier,[e,a]),s=(0,R.useCallback)(()=>{ne(i,o,e,JSON.parse(a))},[i,o,e,a]);le(i,o);let c=(0,z.useLazyLoadQuery)(e,t,r),l=n(c);return(0,R.useEffect)(()=>(oe(i,o)&&s(),()=>se(i,o)),[i,o,s]),(0,z.useSubscribeToInvalidationState)(l?[l]:[],s),c}var hr=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`ids`}],t=[{kind:`Variable`,name:`ids`,variableName:`ids`}],n={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`useFreshStatesQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[{fragment:{kind:`InlineFragment`,selections:[n,{args:null,kind:`FragmentSpread`,name:`LiveCard_session`}],type:`LiveSession`,abstractKey:null},kind:`AliasedInlineFragmentSpread`,name:`session`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`useFreshStatesQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},n,{kind:`InlineFragment`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},n],storageKey:null}],type:`LiveSession`,abstractKey:null}],storageKey:null}]},params:{cacheID:`e2eb35752487c1f18eeb9e12d79d3d3f`,id:null,metadata:{},name:`useFreshStatesQuery`,operationKind:`query`,text:`query useFreshStatesQuery(
  $ids: [ID!]!
) {
  nodes(ids: $ids) {
    __typename
    ... on LiveSession {
      id
      ...LiveCard_session
    }
    id
  }
}

fragment LiveCard_session on LiveSession {
  id
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    databaseId
    handle
    name
    id
  }
}
`}}})(),gr=1e4,_r=100;function vr(e){let t=(0,z.useRelayEnvironment)(),n=e.filter(({node:e})=>e!=null&&e.state!==`REPLAY`).map(({node:e})=>e.id),r=(0,R.useRef)(n);(0,R.useEffect)(()=>{r.current=n.slice(0,_r)}),(0,R.useEffect)(()=>{let e=()=>{!document.hidden&&r.current.length&&(0,z.fetchQuery)(t,hr,{ids:r.current},{fetchPolicy:`network-only`}).subscribe({error:()=>void 0})},n=setInterval(e,gr);return document.addEventListener(`visibilitychange`,e),()=>{clearInterval(n),document.removeEventListener(`visibilitychange`,e)}},[t])}var yr=4;function br(){return(0,G.jsx)(fr,{children:(0,G.jsx)(R.Suspense,{children:(0,G.jsx)(Sr,{})})})}var xr=dr;function Sr(){let{viewer:e}=mr(xr,{first:yr},e=>e.viewer?.__id),t=t=>t.id===e?.user.id||t.viewerFollows&&!t.viewerMutes&&!t.viewerBlocks,n=p(`second`);vr((e?.liveFeed.nodes??[]).map(e=>({node:e})));let r=e?.liveFeed.nodes.filter(({state:e,host:n})=>e!==`REPLAY`&&t(n))??[];return r.length?(0,G.jsxs)(`section`,{className:`card live-now`,"aria-labelledby":`live-now-title`,children:[(0,G.jsx)(`h2`,{id:`live-now-title`,children:w.live.asideTitle}),(0,G.jsx)(`ul`,{children:r.map(e=>(0,G.jsxs)(`li`,{className:`live-small live-${e.state.toLowerCase()}`,children:[(0,G.jsx)(L,{user:e.host,size:`small`}),(0,G.jsxs)(`span`,{className:`live-words`,children:[(0,G.jsx)(`span`,{className:`live-title`,dir:`auto`,children:e.title}),(0,G.jsx)(`span`,{className:`live-clock`,children:(0,G.jsx)(`bdi`,{children:e.host.name})}),(0,G.jsx)(`span`,{className:`live-clock`,children:pr(e,n)})]})]},e.id))}),(0,G.jsx)(F,{href:`/live`,className:`card-more`,children:w.live.all})]}):null}function Cr({route:e}){let{session:t}=M(),[n,r]=(0,R.useState)(``);return(0,G.jsxs)(`aside`,{className:`aside`,"aria-label":w.app.sidebar,children:[e.name!==`search`&&(0,G.jsxs)(`form`,{className:`search`,role:`search`,"aria-label":w.app.people,onSubmit:e=>{e.preventDefault(),I(ue(n.trim()))},children:[(0,G.jsx)(T,{name:`search`}),(0,G.jsx)(`input`,{type:`search`,dir:`auto`,"aria-label":w.app.findPeople,placeholder:w.app.findPeople,maxLength:100,value:n,onChange:e=>r(e.target.value)})]}),t.user&&e.name!==`live`&&(0,G.jsx)(br,{}),(0,G.jsx)(cr,{}),(0,G.jsx)(`p`,{className:`hint`,children:w.app.shortcutsHint})]})}var wr=A({posts:[],counted:0});function Tr({route:e}){let{session:t}=M(),{compose:n,account:r}=N(),{posts:i,counted:a}=D(fe()?.state??wr),o=e.name!==`home`&&Ve(i.length,a)>0,s=r?.handle??t.user?.handle,c=t=>e.name===t,l=[{name:`home`,label:w.navigation.home,icon:`home`,href:`/`,here:c(`home`)},{name:`search`,label:w.navigation.search,icon:`search`,href:`/search`,here:c(`search`)},{name:`live`,label:w.navigation.live,icon:`live`,href:`/live`,here:c(`live`)},...s?[{name:`profile`,label:w.navigation.profile,icon:`person`,href:E(s),here:e.name===`profile`&&e.handle===s}]:[],{name:`settings`,label:w.navigation.settings,icon:`settings`,href:`/settings`,here:c(`settings`)}];return(0,G.jsxs)(`header`,{className:`side`,children:[(0,G.jsxs)(F,{href:`/`,className:`brand`,"aria-label":w.navigation.homeLink,children:[(0,G.jsx)(te,{}),(0,G.jsx)(`span`,{children:w.app.name})]}),(0,G.jsx)(`nav`,{className:`ways`,"aria-label":w.navigation.main,children:l.map(e=>(0,G.jsxs)(F,{href:e.href,className:`way`,"aria-current":e.here?`page`:void 0,children:[(0,G.jsx)(T,{name:e.icon,filled:!1}),(0,G.jsx)(`span`,{children:e.label}),e.name===`home`&&o&&(0,G.jsx)(`span`,{className:`dot`,children:(0,G.jsx)(`span`,{className:`hidden`,children:w.navigation.newPosts})})]},e.name))}),t.user?(0,G.jsxs)(`button`,{type:`button`,className:`button button-primary side-compose`,onClick:()=>n({text:``}),children:[(0,G.jsx)(T,{name:`compose`}),` `,(0,G.jsx)(`span`,{children:w.navigation.newPost})]}):(0,G.jsxs)(F,{href:`/`,className:`button button-primary side-compose`,children:[(0,G.jsx)(T,{name:`key`}),` `,(0,G.jsx)(`span`,{children:w.navigation.signIn})]})]})}var Er=0,Dr=[],Or=[];function $(e){let t=null,n=!1,r=async()=>{let t=Er;try{return await e()}catch{if(t!==Er)return r();throw n=!0,new h(`UNREACHABLE`,`the page cannot be loaded`)}},i=()=>t??=r();return Dr.push(()=>{n&&=(t=null,!1)}),Or.push(()=>void i().catch(()=>void 0)),function(e){let t=(0,R.use)(i()).default;return(0,G.jsx)(t,{...e})}}var kr=$(()=>W(()=>import(`./client-ProfilePage-b212cdc2.js`),__vite__mapDeps([0,1,2,3,4,5,6]))),Ar=$(()=>W(()=>import(`./client-SearchPage-017c48e0.js`),__vite__mapDeps([7,1,2,6,3,5]))),jr=$(()=>W(()=>import(`./client-LivePage-aaa90aef.js`),__vite__mapDeps([8,1,2,4,5]))),Mr=$(()=>W(()=>import(`./client-SettingsPage-67397f6c.js`),__vite__mapDeps([9,1,2,3,5])));function Nr(){Er++;for(let e of Dr)e()}function Pr(){for(let e of Or)e()}function Fr(){let{reachable:e,limitedUntil:t}=D(me().status);return(0,G.jsxs)(`div`,{className:`status-place`,role:`status`,children:[!e&&(0,G.jsxs)(`p`,{className:`status-bar`,children:[(0,G.jsx)(T,{name:`offline`}),` `,navigator.onLine?w.status.unreachable:w.status.offline,` `,w.status.stale]}),e&&t>0&&(0,G.jsx)(Ir,{until:t})]})}function Ir({until:e}){let t=Math.ceil((e-p(`second`))/1e3)*1e3;return t<=0?null:(0,G.jsxs)(`p`,{className:`status-bar`,children:[(0,G.jsx)(T,{name:`clock`}),` `,w.status.limited(t)]})}var Lr=new Set([`home`,`profile`,`post`]);function Rr(){let e=D(O),{session:t}=M(),{compose:n}=N(),r=de(e.path,e.search),i=Vr(e),a=r.name===`home`&&(!t.user||S(e.search,location.href)!==null);return(0,G.jsxs)(`div`,{className:a?`shell shell-welcome`:`shell`,children:[(0,G.jsx)(`a`,{className:`skip`,href:`#main`,children:w.app.skip}),(0,G.jsx)(Fr,{}),!a&&(0,G.jsx)(Tr,{route:r}),(0,G.jsx)(`main`,{id:`main`,ref:i,tabIndex:-1,children:(0,G.jsx)(o,{onRetry:Nr,children:t=>(0,G.jsx)(R.Suspense,{fallback:(0,G.jsx)(_,{label:w.app.loadingPage}),children:a?(0,G.jsx)(lr,{}):(0,G.jsx)(zr,{route:r,attempt:t},e.key)})},e.path)}),!a&&(0,G.jsx)(Cr,{route:r}),!a&&t.user&&Lr.has(r.name)&&(0,G.jsx)(`button`,{type:`button`,className:`compose-button`,"aria-label":w.app.writePost,onClick:()=>n({text:``}),children:(0,G.jsx)(T,{name:`compose`})})]})}function zr({route:e,attempt:t}){switch(e.name){case`home`:return(0,G.jsx)(nr,{attempt:t});case`profile`:return(0,G.jsx)(kr,{handle:e.handle,tab:e.tab,attempt:t});case`post`:return(0,G.jsx)(sr,{id:e.id,attempt:t});case`live`:return(0,G.jsx)(Br,{children:(0,G.jsx)(jr,{attempt:t})});case`search`:return(0,G.jsx)(Ar,{query:e.query});case`settings`:return(0,G.jsx)(Mr,{attempt:t});case`lost`:return(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(pe,{title:w.app.notFoundTitle}),(0,G.jsx)(j,{icon:`search`,title:w.app.notFound,children:(0,G.jsx)(F,{className:`button`,href:`/`,children:w.app.goHome})})]})}}function Br({children:e}){let{session:t,expired:n}=M();return t.user?e:(0,G.jsxs)(j,{icon:`key`,title:n?w.signIn.expired:w.app.signInForLive,children:[(0,G.jsx)(`p`,{children:w.app.livePrivate}),(0,G.jsx)(F,{className:`button button-primary`,href:`/`,children:w.navigation.signIn})]})}function Vr(e){let t=(0,R.useRef)(null),n=(0,R.useRef)(!0);return(0,R.useEffect)(()=>{n.current?n.current=!1:e.returned||(scrollTo({top:0,behavior:`instant`}),t.current?.contains(document.activeElement)||t.current?.focus({preventScroll:!0}))},[e.key,e.returned]),t}function Hr({connection:e}){let[t,n]=(0,R.useState)(null),[r,i]=(0,R.useState)(null),[a,o]=(0,R.useState)(!1),s=(0,R.useCallback)(e=>{u().then(t=>{i(null),n(t),o(e&&!t.user)},e=>i(e))},[]),l=(0,R.useCallback)(()=>s(!1),[s]);(0,R.useEffect)(l,[l]);let d=(0,R.useMemo)(()=>t&&{session:t,expired:a,change:e=>{o(!1),n(e)}},[t,a]);return(0,G.jsx)(y,{value:e,children:(0,G.jsxs)(f,{children:[r!==null&&!d&&(0,G.jsx)(`main`,{className:`lone`,children:(0,G.jsx)(v,{error:r,retry:l})}),r===null&&!d&&(0,G.jsx)(`main`,{className:`lone`,children:(0,G.jsx)(_,{label:w.app.loading})}),d&&(0,G.jsx)(c,{value:d,children:(0,G.jsx)(Ur,{connection:e,user:d.session.user?.id??null,signedOut:()=>s(d.session.user!==null)},d.session.user?.id??``)})]})})}function Ur({connection:e,user:t,signedOut:n}){let[{environment:r,news:i}]=(0,R.useState)(()=>{let r=new nt(`/graphql`),i=Xe(e,r,{known:t!==null,signedOut:n});return{environment:i,news:t===null?null:new Ue(i,r)}});return(0,R.useEffect)(()=>i?.start(),[i]),(0,G.jsx)(z.RelayEnvironmentProvider,{environment:r,children:(0,G.jsx)(ae,{value:i,children:(0,G.jsx)(Ft,{children:(0,G.jsx)(Rr,{})})})})}var Wr=[`system`,`light`,`dark`],Gr=`tideline-theme`;function Kr(){let e=localStorage.getItem(Gr);return Wr.find(t=>t===e)??`system`}function qr(e){e===`system`?(localStorage.removeItem(Gr),delete document.documentElement.dataset.theme):(localStorage.setItem(Gr,e),document.documentElement.dataset.theme=e)}var Jr=1e3,Yr=3e4,Xr=class{healthUrl;status=A({reachable:!0,limitedUntil:0});#e;#t=Jr;#n=0;constructor(e){this.healthUrl=e,addEventListener(`offline`,()=>this.lost()),addEventListener(`online`,()=>void this.#i()),navigator.onLine||this.lost()}asked(){let e=this.#n;return()=>{e===this.#n&&this.#r()}}#r(){clearTimeout(this.#e),this.#e=void 0,this.#t=Jr,this.status.get().reachable||this.status.set({...this.status.get(),reachable:!0})}lost(){this.status.get().reachable&&(this.#n++,this.status.set({...this.status.get(),reachable:!1})),this.#e??=setTimeout(()=>void this.#i(),this.#t)}limited(e){this.status.set({...this.status.get(),limitedUntil:Date.now()+Math.max(1,e)*1e3})}async#i(){clearTimeout(this.#e),this.#e=void 0;let e=this.asked();try{await fetch(this.healthUrl,{cache:`no-store`}),e()}catch{this.#t=Math.min(this.#t*2,Yr),this.lost()}}},Zr=2e3;qr(Kr()),ie(),addEventListener(`hashchange`,()=>{he(location.hash)!==null&&location.reload()});var Qr=document.getElementById(`client`),$r=e=>{e instanceof h||console.error(e)},ei=new Xr(`/healthz`);ei.status.subscribe(()=>{ei.status.get().reachable&&(Nr(),Pr())}),Qr&&(0,ve.createRoot)(Qr,{onCaughtError:$r}).render((0,G.jsx)(Hr,{connection:ei})),setTimeout(Pr,Zr);export{mr as a,Kn as c,Mt as d,mt as f,vr as i,Fn as l,qr as n,pr as o,K as p,Kr as r,cr as s,Wr as t,pn as u};